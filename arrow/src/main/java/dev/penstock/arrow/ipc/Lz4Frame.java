package dev.penstock.arrow.ipc;

import static dev.penstock.spi.format.LittleEndian.INT;

import dev.penstock.internal.lz4.Lz4;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Decompresses LZ4 frames, as Arrow writes them: blocks may copy from earlier blocks.
///
/// The segments check every access; checksums are skipped.
final class Lz4Frame {
  private static final int MAGIC = 0x184D2204;
  private static final long WRONG = -1;

  private Lz4Frame() {}

  /// Decompresses frames one after another. Returns the bytes written, or -1 if they are corrupt or
  /// do not fit.
  static long decompress(MemorySegment source, MemorySegment target) {
    try {
      long in = 0;
      long out = 0;
      while (in < source.byteSize()) {
        if (source.get(INT, in) != MAGIC) {
          return WRONG;
        }
        int flags = source.get(ValueLayout.JAVA_BYTE, in + 4);
        if ((flags >> 6 & 3) != 1) {
          return WRONG;
        }
        in += 7L + ((flags & 8) != 0 ? 8 : 0) + ((flags & 1) != 0 ? 4 : 0);
        long start = out;
        while (true) {
          int stated = source.get(INT, in);
          in += 4;
          if (stated == 0) {
            break;
          }
          long length = stated & 0x7fffffffL;
          if (stated < 0) { // stored uncompressed
            MemorySegment.copy(source, in, target, out, length);
            out += length;
          } else {
            long count =
                Lz4.decompress(source.asSlice(in, length), target.asSlice(start), out - start);
            if (count < 0) {
              return WRONG;
            }
            out += count;
          }
          in += length + ((flags & 16) != 0 ? 4 : 0);
        }
        in += (flags & 4) != 0 ? 4 : 0;
      }
      return out;
    } catch (IndexOutOfBoundsException e) {
      return WRONG;
    }
  }
}
