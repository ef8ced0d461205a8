package dev.penstock.arrow.ipc;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Decompresses LZ4 frames, as Arrow writes them: blocks may copy from earlier blocks.
///
/// The segments check every access; checksums are skipped.
final class Lz4Frame {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int MAGIC = 0x184D2204;
  private static final int LONG_LENGTH = 15;
  private static final int MATCH_MIN = 4;
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
            out = block(source, in, in + length, target, out, start);
            if (out < 0) {
              return WRONG;
            }
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

  /// Returns the position after the bytes written, or -1.
  private static long block(
      MemorySegment source, long from, long end, MemorySegment target, long to, long start) {
    long in = from;
    long out = to;
    while (in < end) {
      int token = source.get(ValueLayout.JAVA_BYTE, in++) & 0xff;
      int high = token >>> 4;
      long literals = high;
      if (literals == LONG_LENGTH) {
        int part = 255;
        while (part == 255) {
          part = source.get(ValueLayout.JAVA_BYTE, in++) & 0xff;
          literals += part;
        }
      }
      if (literals > end - in) {
        return WRONG;
      }
      MemorySegment.copy(source, in, target, out, literals);
      in += literals;
      out += literals;
      if (in == end) {
        return out;
      }
      int distance = source.get(SHORT, in) & 0xffff;
      in += 2;
      long length = token & 0xf;
      if (length == LONG_LENGTH) {
        int part = 255;
        while (part == 255) {
          part = source.get(ValueLayout.JAVA_BYTE, in++) & 0xff;
          length += part;
        }
      }
      length += MATCH_MIN;
      if (distance == 0 || distance > out - start || length > target.byteSize() - out) {
        return WRONG;
      }
      // A match that overlaps its own output repeats the bytes just copied.
      for (long done = 0; done < length; ) {
        long part = Math.min(length - done, distance + done);
        MemorySegment.copy(target, out - distance, target, out + done, part);
        done += part;
      }
      out += length;
    }
    return WRONG; // It ends with a match, or is empty.
  }
}
