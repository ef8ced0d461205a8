package dev.penstock.spi.storage;

import java.io.IOException;

/// One version of a file in a store, which streams its bytes. A network store implements it;
/// [RemoteFile] does the rest.
///
/// **Threads.** Safe for any.
@FunctionalInterface
public interface RangeSource {
  /// {@return the answer to a request for bytes, made once: the caller counts attempts}
  ///
  /// @param offset the first byte, counted from 0 in the file
  /// @param length how many, at least 1
  /// @throws dev.penstock.storage.StorageException with its kind, if the store answers with an
  ///   error; [dev.penstock.storage.StorageException.Kind#CHANGED] if the file no longer has this
  ///   version
  /// @throws IOException if the connection breaks, or nothing comes for too long
  RangeBody open(long offset, long length) throws IOException;
}
