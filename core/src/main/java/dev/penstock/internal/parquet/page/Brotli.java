package dev.penstock.internal.parquet.page;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.memory.Raw;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import org.brotli.dec.BrotliInputStream;

/// Decompresses Brotli through the heap: its decoder is plain Java on arrays.
final class Brotli {
  /* Memory: Brotli can make 16 MiB from a dozen bytes, so no ratio limits the size of a page. The
   * target grows with the actual output. */
  private static final int PART_BYTES = 64 << 10;
  private static final long FIRST_BYTES = 16 << 20;

  private Brotli() {}

  /// Decompresses into `target`, which grows up to `most` bytes, and returns the number of bytes,
  /// at most `most + 1`. An [IOException] means that the stream is corrupt.
  static long decompress(MemorySegment source, Buffer target, long most) throws IOException {
    byte[] part = new byte[(int) Math.min(PART_BYTES, most + 1)];
    MemorySegment room = target.ensure(Math.min(most, FIRST_BYTES));
    long out = 0;
    try (InputStream stream = new BrotliInputStream(new Source(source))) {
      for (int count = read(stream, part); count >= 0; count = read(stream, part)) {
        if (count > most - out) {
          return most + 1;
        }
        if (count > target.capacity() - out) {
          room = target.grow(Math.min(most, 4 * target.capacity()), out);
        }
        MemorySegment.copy(part, 0, room, Raw.BYTE, out, count);
        out += count;
      }
    }
    return out;
  }

  /// Reads the next part. Anything may be thrown by the decoder; what memory throws is left alone.
  private static int read(InputStream stream, byte[] part) throws IOException {
    try {
      return stream.read(part);
    } catch (RuntimeException e) {
      throw new IOException(e);
    }
  }

  private static final class Source extends InputStream {
    private final MemorySegment bytes;
    private long position;

    Source(MemorySegment bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read() {
      return position == bytes.byteSize() ? -1 : bytes.get(Raw.BYTE, position++) & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      int count = (int) Math.min(length, bytes.byteSize() - position);
      if (count == 0) {
        return length == 0 ? 0 : -1;
      }
      MemorySegment.copy(bytes, Raw.BYTE, position, target, offset, count);
      position += count;
      return count;
    }
  }
}
