package dev.penstock.internal.parquet;

import dev.penstock.internal.memory.Raw;
import java.lang.foreign.MemorySegment;

/// Moves dense values to the rows that are present.
///
/// The slots of nulls get the next value: their content is undefined.
final class Spread {
  /* Kernels: 64 rows at a time. If all are present, it is one copy; else every row loads and stores
   * the next value, then advances by its validity bit, without a branch. So a load may go one value
   * past the last, inside the padding of every buffer; the callers check `present + 1` values of
   * source and `count` of target. Sources of 4 and 8 bytes are slices, and places in them masked:
   * then no load has a check. */
  private Spread() {}

  /// Returns whether [#spread] may load one value past the last.
  static boolean readsPast(int width) {
    return width == 1 || width == 2 || width == 4 || width == 8 || width == 16;
  }

  static void spread(
      int width, long source, long target, MemorySegment validity, long from, int count) {
    for (int done = 0; done < count; done += 64) {
      int part = Math.min(64, count - done);
      long bits = Bits.get(validity, from + done, part);
      int present = Long.bitCount(bits);
      if (present == part) {
        Raw.copy(source, target, (long) part * width);
      } else if (present != 0) {
        switch (width) {
          case 1 -> spread1(source, target, bits, part);
          case 2 -> spread2(source, target, bits, part);
          case 4 -> spread4(source, target, bits, part);
          case 8 -> spread8(source, target, bits, part);
          case 16 -> spread16(source, target, bits, part);
          default -> spreadWide(width, source, target, bits);
        }
      }
      source += (long) present * width;
      target += (long) part * width;
    }
  }

  /// Like [#spread], for 32-bit codes, but nulls become 0.
  static void spreadCodes(long source, long target, MemorySegment validity, long from, int count) {
    for (int done = 0; done < count; done += 64) {
      int part = Math.min(64, count - done);
      long bits = Bits.get(validity, from + done, part);
      for (int i = 0; i < part; i++) {
        int bit = (int) (bits >>> i) & 1;
        Raw.ALL.set(Raw.INT, target + i * 4L, Raw.ALL.get(Raw.INT, source) & -bit);
        source += (long) bit << 2;
      }
      target += part * 4L;
    }
  }

  private static void spread1(long source, long target, long bits, int count) {
    for (int i = 0; i < count; i++) {
      Raw.ALL.set(Raw.BYTE, target + i, Raw.ALL.get(Raw.BYTE, source));
      source += (bits >>> i) & 1;
    }
  }

  private static void spread2(long source, long target, long bits, int count) {
    for (int i = 0; i < count; i++) {
      Raw.ALL.set(Raw.SHORT, target + i * 2L, Raw.ALL.get(Raw.SHORT, source));
      source += ((bits >>> i) & 1) << 1;
    }
  }

  private static void spread4(long source, long target, long bits, int count) {
    MemorySegment from = Raw.ALL.asSlice(source, 260);
    long rest = Long.rotateLeft(bits, 2);
    int at = 0;
    for (int i = 0; i < count; i++) {
      Raw.ALL.set(Raw.INT, target + i * 4L, from.get(Raw.INT, at & 252L));
      at += (int) rest & 4;
      rest = Long.rotateRight(rest, 1);
    }
  }

  private static void spread8(long source, long target, long bits, int count) {
    MemorySegment from = Raw.ALL.asSlice(source, 520);
    long rest = Long.rotateLeft(bits, 3);
    int at = 0;
    for (int i = 0; i < count; i++) {
      Raw.ALL.set(Raw.LONG, target + i * 8L, from.get(Raw.LONG, at & 504L));
      at += (int) rest & 8;
      rest = Long.rotateRight(rest, 1);
    }
  }

  private static void spread16(long source, long target, long bits, int count) {
    for (int i = 0; i < count; i++) {
      Raw.ALL.set(Raw.LONG, target + i * 16L, Raw.ALL.get(Raw.LONG, source));
      Raw.ALL.set(Raw.LONG, target + i * 16L + 8, Raw.ALL.get(Raw.LONG, source + 8));
      source += ((bits >>> i) & 1) << 4;
    }
  }

  private static void spreadWide(int width, long source, long target, long bits) {
    for (long rest = bits; rest != 0; rest &= rest - 1) {
      long row = Long.numberOfTrailingZeros(rest);
      Raw.copy(source, target + row * width, width);
      source += width;
    }
  }
}
