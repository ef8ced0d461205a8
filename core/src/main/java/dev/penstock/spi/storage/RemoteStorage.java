package dev.penstock.spi.storage;

import dev.penstock.storage.Location;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A store behind a network, made of single requests: they are made again where that may help, and
/// files are read as [RemoteFile].
///
/// `ServiceLoader` makes it whenever stores are looked for, so nothing of a vendor's library is to
/// be loaded before [#requests]. Files are asked for from what [#with] gives.
public interface RemoteStorage extends Storage {
  /// Returns the storage options that it takes beside [StorageOptions#COMMON].
  ///
  /// @return keys as in [StorageOptions]
  Set<String> ownOptionKeys();

  /// Makes its requests.
  ///
  /// @param options how they are wanted
  /// @return the requests
  /// @throws IllegalArgumentException if the value of an option is none; the message holds no
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
    return new ConnectedStorage(this, requests(options), options);
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

  private static IllegalStateException notTold() {
    return new IllegalStateException("Cannot read: the store was not told its options.");
  }
}
