package dev.penstock.spi.storage;

import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import java.io.IOException;
import java.util.Optional;

/// Single requests to a network store, each without retries. The store implements them;
/// [RemoteStorage] does the rest.
///
/// **Threads.** Safe for any.
///
/// **Errors.** A [StorageException] with its kind, if the store answers with an error; any other
/// `IOException` counts as a broken connection. Messages continue "Cannot look at ...: ".
public interface RemoteRequests extends AutoCloseable {
  /// {@return what is known about a file, with its version; empty if there is no such file}
  ///
  /// @param location the name of the file, or of a folder
  /// @throws IOException if the store cannot tell; a [StorageException] of kind `MISSING` counts as
  ///   empty
  Optional<FileEntry> stat(Location location) throws IOException;

  /// {@return a page of the files below a folder, at any depth, and where the next page starts; an
  /// empty last page if there is no such folder}
  ///
  /// @param folder its name
  /// @param from [FilePage#next()] of the previous page; empty for the first page
  /// @param most the most files of the page, at least 1; the store may have its own limit
  /// @throws IOException if the folder cannot be read
  FilePage list(Location folder, String from, int most) throws IOException;

  /// {@return a stream of some bytes of a version of a file, see [RangeSource#open]}
  ///
  /// @param file the file, of the version to read
  /// @param offset the first byte, counted from 0 in the file
  /// @param length how many, at least 1
  /// @throws IOException if the store does not answer with the bytes
  RangeBody open(FileEntry file, long offset, long length) throws IOException;

  /// Creates a file unless there is one of its name: a conditional request, of which nobody sees a
  /// part.
  ///
  /// @param file its name
  /// @param content its bytes
  /// @throws IOException if it was not created; a [StorageException] of kind `CHANGED` says that
  ///   there is one of its name
  default void create(Location file, byte[] content) throws IOException {
    throw new StorageException(
        StorageException.Kind.REFUSED,
        "the store only reads. Name a place in another store, or on this machine.",
        null);
  }

  /// Ends the connections and threads of the client, while no request is under way; there will be
  /// no other. Others are made if the store is wanted again.
  @Override
  default void close() {}
}
