package dev.penstock.spi.storage;

import dev.penstock.storage.Location;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A network store, made of single requests: requests are retried if that may help, and files are
/// read as [RemoteFile].
///
/// `ServiceLoader` instantiates it whenever stores are looked up, so do not load the vendor's
/// library before [#requests]. Ask the result of [#with] for files.
public interface RemoteStorage extends Storage {
  /// {@return the storage options that it takes in addition to [StorageOptions#COMMON]}
  Set<String> ownOptionKeys();

  /// {@return its requests} Called again when they are wanted after they were closed.
  ///
  /// @param options the options of the requests
  /// @throws IllegalArgumentException if the value of an option is invalid; the message contains no
  ///   secret
  RemoteRequests requests(StorageOptions options);

  @Override
  default Set<String> optionKeys() {
    Set<String> keys = new HashSet<>(StorageOptions.COMMON);
    keys.addAll(ownOptionKeys());
    return keys;
  }

  @Override
  default Storage with(StorageOptions options) {
    return new ConnectedStorage(this, options);
  }

  @Override
  default Optional<FileEntry> stat(Location location) {
    throw notTold();
  }

  @Override
  default List<FileEntry> list(Location folder) {
    throw notTold();
  }

  @Override
  default StorageFile open(Location location) {
    throw notTold();
  }

  @Override
  default boolean create(Location file, byte[] content) {
    throw notTold();
  }

  private static IllegalStateException notTold() {
    return new IllegalStateException("Cannot use the store: it was not told its options.");
  }
}
