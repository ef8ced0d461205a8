package dev.penstock.spi.storage;

import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.Optional;

/// Single requests to a store behind a network, each made once: what such a store implements.
/// [RemoteStorage] does the rest.
///
/// **Threads.** Safe for any.
///
/// **Errors.** A [dev.penstock.storage.StorageException] with its kind, where the store's answer is
/// no data; any other `IOException` counts as a broken connection. Messages read on behind "Cannot
/// look at ...: ".
public interface RemoteRequests {
  /// Looks at a file.
  ///
  /// @param location its name, or that of a folder
  /// @return what is known of it, with its version; empty if there is no such file
  /// @throws IOException if the store cannot tell
  Optional<FileEntry> stat(Location location) throws IOException;

  /// Lists a page of the files below a folder, at any depth.
  ///
  /// @param folder its name
  /// @param from what the page before gave as [FilePage#next()]; empty for the first page
  /// @param most how many files the page may have, at least 1; the store may have a limit of its
  ///   own
  /// @return the files, and how to go on; an empty last page if there is no such folder
  /// @throws IOException if the folder cannot be read
  FilePage list(Location folder, String from, int most) throws IOException;

  /// Opens a stream of some bytes of a version of a file, see [RangeSource#open].
  ///
  /// @param file the file, of the version to read
  /// @param offset the first byte, counted from 0 in the file
  /// @param length how many, at least 1
  /// @return the answer
  /// @throws IOException if the store does not answer with the bytes
  RangeBody open(FileEntry file, long offset, long length) throws IOException;
}
