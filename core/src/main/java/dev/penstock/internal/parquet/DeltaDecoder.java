package dev.penstock.internal.parquet;

import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.parquet.footer.PageException;
import java.lang.foreign.MemorySegment;

/// Integers of 32 or 64 bits, stored as differences (DELTA_BINARY_PACKED).
///
/// A header (values per block, miniblocks per block, total values, the first value), then blocks:
/// the block's least difference, the bit width of each miniblock, and the miniblocks, which hold
/// each difference minus the least one. All sums wrap around.
final class DeltaDecoder {
  /* Safety: `base` covers [0, end) plus 16 bytes of padding, checked in start(). Before a miniblock
   * is unpacked, the bytes of its remaining values are known to be in the page, so the word that
   * starts with any value's first byte, and the byte after that word, can be loaded. The caller
   * checks targets: only whole values are written.
   *
   * Kernels: as in IndexDecoder, eight values fit in one 64-bit load at widths up to 8 (miniblocks
   * start at a byte), four up to 14, two up to 28; up to 57 bits a value and its shift fit, beyond
   * that a ninth byte is needed. Unpacking does not depend on the running sum.
   *
   * Bit widths of miniblocks without values may be anything. Bytes after the last value may be
   * missing. Differences of 32-bit integers may have more than 32 bits (DuckDB writes 33 instead of
   * wrapping around): the lower 32 bits of the sums, which are kept, are right. */
  private static final int LOAD_BYTES = 16;

  private static final int WIDTH_OF_EIGHT = 8;
  private static final int WIDTH_OF_FOUR = 14;
  private static final int WIDTH_OF_TWO = 28;
  private static final int WIDTH_OF_ONE = 57;

  private static final int BLOCK_STEP = 128;
  private static final int MINIBLOCK_STEP = 32;

  private long origin; // the place of `base` in the page
  private long base;
  private long position;
  private long end;

  private int miniblocks; // per block
  private long miniblockValues;
  private long left; // values of the page still to decode
  private boolean first; // the next value is the header's

  private long least; // least difference of the block
  private long widths; // position of the block's bit widths
  private int miniblock; // the next one of the block
  private int width;
  private long leftHere; // values of the miniblock still to decode
  private long bit;
  private long last; // the last value

  /// Starts on at most `most` values in bytes `[start, end)`; without bytes there are none.
  void start(MemorySegment data, long start, long end, int most) throws PageException {
    base = Raw.address(data, start, end - start + LOAD_BYTES);
    origin = start;
    position = 0;
    this.end = end - start;
    left = 0;
    leftHere = 0;
    if (start < end) {
      header(most);
    }
  }

  private void header(int most) throws PageException {
    long blockValues = varint();
    long count = varint();
    left = varint();
    last = zigzag();
    boolean fits =
        blockValues > 0
            && blockValues <= Integer.MAX_VALUE
            && blockValues % BLOCK_STEP == 0
            && count > 0
            && count <= blockValues / MINIBLOCK_STEP
            && blockValues % count == 0
            && blockValues / count % MINIBLOCK_STEP == 0;
    if (!fits) {
      throw PageException.of(
          "Corrupt Parquet page: its blocks of differences have %s values in %s miniblocks but"
              + " expected a multiple of 128 in miniblocks of a multiple of 32.",
          Long.toUnsignedString(blockValues), Long.toUnsignedString(count));
    }
    if (left < 0 || left > most) {
      throw PageException.of(
          "Corrupt Parquet page: it has %s values stored as differences but claims %s.",
          Long.toUnsignedString(left), most);
    }
    miniblocks = (int) count;
    miniblockValues = blockValues / count;
    miniblock = miniblocks;
    first = left > 0;
  }

  /// Returns how many values are still to decode.
  long left() {
    return left;
  }

  /// Returns the position in the page after all values. Call it right after [#start].
  long behind() throws PageException {
    long at = position;
    for (long rest = left - 1; rest > 0; ) {
      while (byteAt(at++) < 0) {} // the least difference
      long widthsAt = at;
      at += miniblocks;
      for (int i = 0; i < miniblocks && rest > 0; i++) {
        at += miniblockValues * width(widthsAt + i) / 8;
        rest -= miniblockValues;
      }
    }
    if (at > end) {
      throw truncated();
    }
    return origin + at;
  }

  /// Writes the next `count` values as 32-bit integers at address `target`.
  void ints(long target, int count) throws PageException {
    int rest = begin(count);
    if (rest < count) {
      Raw.ALL.set(Raw.INT, target, (int) last);
      target += 4;
    }
    while (rest > 0) {
      int part = part(rest);
      last = ints(base, bit, width, part, (int) least, (int) last, target);
      bit += (long) part * width;
      target += part * 4L;
      rest -= part;
    }
  }

  /// Writes the next `count` values as 64-bit integers at address `target`.
  void longs(long target, int count) throws PageException {
    int rest = begin(count);
    if (rest < count) {
      Raw.ALL.set(Raw.LONG, target, last);
      target += 8;
    }
    while (rest > 0) {
      int part = part(rest);
      last = longs(base, bit, width, part, least, last, target);
      bit += (long) part * width;
      target += part * 8L;
      rest -= part;
    }
  }

  /// Counts `count` values as taken and returns how many of them are in miniblocks.
  private int begin(int count) throws PageException {
    if (count > left) {
      throw PageException.of(
          "Truncated Parquet page: %s more values are expected but %s are left, stored as"
              + " differences.",
          count, left);
    }
    if (count == 0 || !first) {
      return count;
    }
    first = false;
    left--;
    return count - 1;
  }

  /// Counts up to `count` values of one miniblock as taken and returns how many.
  private int part(int count) throws PageException {
    if (leftHere == 0) {
      nextMiniblock();
    }
    int part = (int) Math.min(leftHere, count);
    leftHere -= part;
    left -= part;
    return part;
  }

  private void nextMiniblock() throws PageException {
    if (miniblock == miniblocks) {
      least = zigzag();
      widths = position;
      position += miniblocks;
      miniblock = 0;
    }
    width = width(widths + miniblock++);
    leftHere = Math.min(miniblockValues, left);
    if ((leftHere * width + 7) / 8 > end - position) {
      throw truncated();
    }
    bit = position * 8;
    position += Math.min(miniblockValues * width / 8, end - position);
  }

  private int width(long at) throws PageException {
    int value = byteAt(at) & 0xff;
    if (value > 64) {
      throw new PageException(
          "Corrupt Parquet page: its differences have " + value + " bits, more than 64.");
    }
    return value;
  }

  private long zigzag() throws PageException {
    long value = varint();
    return (value >>> 1) ^ -(value & 1);
  }

  private long varint() throws PageException {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      byte part = byteAt(position++);
      value |= (part & 0x7fL) << shift;
      if (part >= 0) {
        return value;
      }
    }
    throw new PageException("Corrupt Parquet page: a number has more than 10 bytes.");
  }

  private byte byteAt(long at) throws PageException {
    if (at >= end) {
      throw truncated();
    }
    return Raw.ALL.get(Raw.BYTE, base + at);
  }

  private static PageException truncated() {
    return new PageException("Truncated Parquet page: its differences end before its values do.");
  }

  private static int ints(
      long base, long bit, int width, int count, int least, int last, long target) {
    int mask = width < 32 ? (1 << width) - 1 : -1;
    int i = 0;
    if (width <= WIDTH_OF_EIGHT) {
      for (; i + 8 <= count; i += 8) {
        long word = Raw.ALL.get(Raw.LONG, base + (bit >>> 3)) >>> (bit & 7);
        // Successive shifts take less code than eight of different lengths.
        int a = last + least + ((int) word & mask);
        word >>>= width;
        int b = a + least + ((int) word & mask);
        word >>>= width;
        int c = b + least + ((int) word & mask);
        word >>>= width;
        int d = c + least + ((int) word & mask);
        word >>>= width;
        int e = d + least + ((int) word & mask);
        word >>>= width;
        int f = e + least + ((int) word & mask);
        word >>>= width;
        int g = f + least + ((int) word & mask);
        word >>>= width;
        last = g + least + ((int) word & mask);
        Raw.ALL.set(Raw.LONG, target, IndexDecoder.pair(a, b));
        Raw.ALL.set(Raw.LONG, target + 8, IndexDecoder.pair(c, d));
        Raw.ALL.set(Raw.LONG, target + 16, IndexDecoder.pair(e, f));
        Raw.ALL.set(Raw.LONG, target + 24, IndexDecoder.pair(g, last));
        bit += 8L * width;
        target += 32;
      }
    } else if (width <= WIDTH_OF_FOUR) {
      for (; i + 4 <= count; i += 4) {
        long word = Raw.ALL.get(Raw.LONG, base + (bit >>> 3)) >>> (bit & 7);
        int a = last + least + ((int) word & mask);
        int b = a + least + ((int) (word >>> width) & mask);
        int c = b + least + ((int) (word >>> (2 * width)) & mask);
        last = c + least + ((int) (word >>> (3 * width)) & mask);
        Raw.ALL.set(Raw.LONG, target, IndexDecoder.pair(a, b));
        Raw.ALL.set(Raw.LONG, target + 8, IndexDecoder.pair(c, last));
        bit += 4L * width;
        target += 16;
      }
    } else if (width <= WIDTH_OF_TWO) {
      for (; i + 2 <= count; i += 2) {
        long word = Raw.ALL.get(Raw.LONG, base + (bit >>> 3)) >>> (bit & 7);
        int a = last + least + ((int) word & mask);
        last = a + least + ((int) (word >>> width) & mask);
        Raw.ALL.set(Raw.LONG, target, IndexDecoder.pair(a, last));
        bit += 2L * width;
        target += 8;
      }
    } else {
      for (; i + 2 <= count; i += 2) {
        long next = bit + width;
        int a =
            last + least + ((int) (Raw.ALL.get(Raw.LONG, base + (bit >>> 3)) >>> (bit & 7)) & mask);
        last =
            a + least + ((int) (Raw.ALL.get(Raw.LONG, base + (next >>> 3)) >>> (next & 7)) & mask);
        Raw.ALL.set(Raw.LONG, target, IndexDecoder.pair(a, last));
        bit = next + width;
        target += 8;
      }
    }
    for (; i < count; i++) {
      long word = Raw.ALL.get(Raw.LONG, base + (bit >>> 3)) >>> (bit & 7);
      last += least + ((int) word & mask);
      Raw.ALL.set(Raw.INT, target, last);
      bit += width;
      target += 4;
    }
    return last;
  }

  private static long longs(
      long base, long bit, int width, int count, long least, long last, long target) {
    long mask = width == 64 ? -1L : (1L << width) - 1;
    int i = 0;
    if (width <= WIDTH_OF_FOUR) {
      for (; i + 4 <= count; i += 4) {
        long word = Raw.ALL.get(Raw.LONG, base + (bit >>> 3)) >>> (bit & 7);
        long a = last + least + (word & mask);
        long b = a + least + ((word >>> width) & mask);
        long c = b + least + ((word >>> (2 * width)) & mask);
        last = c + least + ((word >>> (3 * width)) & mask);
        Raw.ALL.set(Raw.LONG, target, a);
        Raw.ALL.set(Raw.LONG, target + 8, b);
        Raw.ALL.set(Raw.LONG, target + 16, c);
        Raw.ALL.set(Raw.LONG, target + 24, last);
        bit += 4L * width;
        target += 32;
      }
    } else if (width <= WIDTH_OF_TWO) {
      for (; i + 2 <= count; i += 2) {
        long word = Raw.ALL.get(Raw.LONG, base + (bit >>> 3)) >>> (bit & 7);
        long a = last + least + (word & mask);
        last = a + least + ((word >>> width) & mask);
        Raw.ALL.set(Raw.LONG, target, a);
        Raw.ALL.set(Raw.LONG, target + 8, last);
        bit += 2L * width;
        target += 16;
      }
    } else if (width > WIDTH_OF_ONE) {
      for (; i < count; i++) {
        long from = base + (bit >>> 3);
        int shift = (int) bit & 7;
        // Two shifts, because a shift by 64 would shift by 0.
        long high = (long) Raw.ALL.get(Raw.BYTE, from + 8) << 1 << (63 - shift);
        last += least + (((Raw.ALL.get(Raw.LONG, from) >>> shift) | high) & mask);
        Raw.ALL.set(Raw.LONG, target, last);
        bit += width;
        target += 8;
      }
    }
    for (; i < count; i++) {
      last += least + ((Raw.ALL.get(Raw.LONG, base + (bit >>> 3)) >>> (bit & 7)) & mask);
      Raw.ALL.set(Raw.LONG, target, last);
      bit += width;
      target += 8;
    }
    return last;
  }
}
