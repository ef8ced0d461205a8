package dev.penstock.spi.storage;

import java.io.IOException;

/// One version of a file in a store, from which bytes come as a stream: what a store behind a
/// network implements. [RemoteFile] does the rest.
///
/// **Threads.** Safe for any.
@FunctionalInterface
public interface RangeSource {
  /// Asks for bytes, once: attempts are counted by who calls.
  ///
  /// @param offset the first byte, counted from 0 in the file
  /// @param length how many, at least 1
  /// @return the answer
  /// @throws dev.penstock.storage.StorageException with its kind, where the store's answer is no
  ///   data; [dev.penstock.storage.StorageException.Kind#CHANGED] if the file is no longer of the
  ///   version
  /// @throws IOException if the connection breaks, or nothing comes for too long
  RangeBody open(long offset, long length) throws IOException;
}
