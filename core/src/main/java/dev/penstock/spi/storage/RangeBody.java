package dev.penstock.spi.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/// A stream of bytes of a file.
///
/// **Threads.** One at a time.
public interface RangeBody extends AutoCloseable {
  /// {@return the range that the store says it sends}
  ServedRange served();

  /// Waits for bytes and reads them.
  ///
  /// @param target receives the bytes
  /// @return how many came, at least 1, or -1 at the end
  /// @throws IOException if the connection breaks, or nothing comes for too long
  int read(ByteBuffer target) throws IOException;

  /// Drops the connection, or returns it to the client if all was read.
  @Override
  void close() throws IOException;

  /// {@return a body from a stream whose reads time out}
  ///
  /// @param served the range that the store says it sends
  /// @param stream the bytes; closed after all were read
  /// @param abort drops the connection if not all bytes were read
  static RangeBody of(ServedRange served, InputStream stream, Runnable abort) {
    return new RangeBody() {
      private final byte[] step = new byte[64 << 10];
      private long left = served.length();

      @Override
      public ServedRange served() {
        return served;
      }

      @Override
      public int read(ByteBuffer target) throws IOException {
        int count = stream.read(step, 0, Math.min(step.length, target.remaining()));
        if (count > 0) {
          target.put(step, 0, count);
          left -= count;
        }
        return count;
      }

      @Override
      public void close() throws IOException {
        if (left == 0) {
          stream.close();
        } else {
          abort.run();
        }
      }
    };
  }
}
