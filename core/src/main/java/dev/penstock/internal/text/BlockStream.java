package dev.penstock.internal.text;

import java.io.IOException;
import java.io.InputStream;

/// A stream made of another one, which it closes. It is read in blocks; a single byte is read as a
/// block of one.
abstract class BlockStream extends InputStream {
  final InputStream in;

  BlockStream(InputStream in) {
    this.in = in;
  }

  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public abstract int read(byte[] target, int offset, int length) throws IOException;

  @Override
  public void close() throws IOException {
    in.close();
  }
}
