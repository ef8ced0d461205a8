package dev.penstock.spi.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/// Bytes of a file on their way.
///
/// **Threads.** One at a time.
public interface RangeBody extends AutoCloseable {
  /// Returns what the store says that comes.
  ///
  /// @return the range of the answer
  ServedRange served();

  /// Waits for bytes and takes them.
  ///
  /// @param target where they go
  /// @return how many came, at least 1, or -1 behind the last one
  /// @throws IOException if the connection breaks, or nothing comes for too long
  int read(ByteBuffer target) throws IOException;

  /// Gives the connection up, or back if all was read.
  @Override
  void close() throws IOException;

  /// Makes a body of a stream whose reads fail when nothing comes for too long.
  ///
  /// @param served what the store says that comes
  /// @param stream the bytes; closed when all of them were read
  /// @param abort gives the connection up, where they were not
  /// @return the body
  static RangeBody of(ServedRange served, InputStream stream, Runnable abort) {
    return new StreamBody(served, stream, abort);
  }
}
