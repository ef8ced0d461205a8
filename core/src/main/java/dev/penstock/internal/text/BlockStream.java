package dev.penstock.internal.text;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipException;

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

  /// Reads exactly `count` bytes. Throws [#cut] if there are fewer.
  final void take(byte[] target, int offset, int count) throws IOException {
    if (in.readNBytes(target, offset, count) < count) {
      throw cut();
    }
  }

  /// Skips exactly `count` bytes. Throws [#cut] if there are fewer.
  final void pass(long count) throws IOException {
    try {
      in.skipNBytes(count);
    } catch (EOFException _) {
      throw cut();
    }
  }

  /// Returns the error of a file that ends within a frame.
  static EOFException cut() {
    return new EOFException("it ends within a frame");
  }

  static void require(boolean holds, String otherwise) throws ZipException {
    if (!holds) {
      throw new ZipException(otherwise);
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
