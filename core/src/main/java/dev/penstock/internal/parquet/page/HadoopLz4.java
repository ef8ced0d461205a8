package dev.penstock.internal.parquet.page;

import dev.penstock.internal.lz4.Lz4;
import dev.penstock.internal.memory.Raw;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/// Decompresses pages of the codec named LZ4, with or without Hadoop's framing.
final class HadoopLz4 {
  private static final long WRONG = -1;

  private HadoopLz4() {}

  /// Decompresses a page of the codec named LZ4: in Hadoop's framing, or else a bare block. Returns
  /// the bytes written, or -1 if it is neither.
  static long decompressFramedOrBare(MemorySegment source, MemorySegment target) {
    long length = decompressFramed(source, target);
    return length == target.byteSize() ? length : Lz4.decompress(source, target);
  }

  /// Decompresses Hadoop's framing: the decompressed length, then blocks, each after its compressed
  /// length, until the decompressed length is reached; any number of times. Lengths are big-endian.
  private static long decompressFramed(MemorySegment source, MemorySegment target) {
    long in = 0;
    long out = 0;
    while (in < source.byteSize()) {
      long total = bigEndian(source, in);
      in += 4;
      if (total < 0 || total > target.byteSize() - out) {
        return WRONG;
      }
      for (long end = out + total; out < end; ) {
        long compressed = bigEndian(source, in);
        in += 4;
        if (compressed < 1 || compressed > source.byteSize() - in) {
          return WRONG;
        }
        long length =
            Lz4.decompress(source.asSlice(in, compressed), target.asSlice(out, end - out));
        if (length < 1) {
          return WRONG;
        }
        in += compressed;
        out += length;
      }
    }
    return out;
  }

  private static long bigEndian(MemorySegment source, long at) {
    return source.byteSize() - at < 4
        ? WRONG
        : source.get(Raw.INT.withOrder(ByteOrder.BIG_ENDIAN), at);
  }
}
