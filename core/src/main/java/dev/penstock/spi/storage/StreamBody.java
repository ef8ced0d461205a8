package dev.penstock.spi.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/// Bytes of a file from a stream.
final class StreamBody implements RangeBody {
  private static final int STEP_BYTES = 64 << 10;

  private final ServedRange served;
  private final InputStream stream;
  private final Runnable abort;
  private long left;
  private final byte[] step = new byte[STEP_BYTES];

  StreamBody(ServedRange served, InputStream stream, Runnable abort) {
    this.served = served;
    this.stream = stream;
    this.abort = abort;
    this.left = served.length();
  }

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
}
