package dev.penstock.internal.slices;

import static dev.penstock.internal.memory.Raw.BYTE;
import static dev.penstock.internal.memory.Raw.LONG;

import dev.penstock.internal.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Reads and writes bits, as of Arrow validity: bit `i % 8` of byte `i / 8`, 1 = present.
public final class Validity {
  private Validity() {}

  public static boolean isPresent(MemorySegment bits, int row) {
    return bit(bits, row) != 0;
  }

  static int bit(MemorySegment bits, int index) {
    return bits.get(BYTE, index >>> 3) >>> (index & 7) & 1;
  }

  /// Returns the first null in `[from, end)`, or `end`.
  public static int nextNull(MemorySegment bits, int from, int end) {
    int row = from;
    while (row < end) {
      int rest = ~bits.get(BYTE, row >>> 3) & 0xFF & (0xFF << (row & 7));
      if (rest != 0) {
        return Math.min(end, (row & ~7) + Integer.numberOfTrailingZeros(rest));
      }
      row = (row & ~7) + 8;
    }
    return end;
  }

  /// Returns a bit for each of 1 to 64 rows, set for a null; higher bits are zero.
  public static long nulls(MemorySegment bits, int from, int count) {
    int at = from >>> 3;
    int shift = from & 7;
    long present = 0;
    if (at + 9L <= bits.byteSize()) {
      // Two shifts, because a shift by 64 would shift by 0.
      present = bits.get(LONG, at) >>> shift;
      present |= (long) bits.get(BYTE, at + 8L) << 1 << (63 - shift);
    } else {
      for (int i = 0; i < count; i++) {
        present |= (isPresent(bits, from + i) ? 1L : 0L) << i;
      }
    }
    return ~present & (-1L >>> (64 - count));
  }

  /// Writes one byte per row, the first one at `offset`: 1 = set, 0 = not.
  public static void expand(
      MemorySegment bits, int from, int count, MemorySegment target, long offset) {
    int row = 0;
    for (; row <= count - Long.BYTES; row += Long.BYTES) {
      int at = from + row;
      int eight = bits.get(BYTE, at >>> 3) & 0xff;
      if ((at & 7) != 0) {
        eight = (eight | bits.get(BYTE, (at >>> 3) + 1) << 8) >>> (at & 7) & 0xff;
      }
      // All eight bits in each byte, of each byte its own bit, which is moved to the lowest place.
      long each = eight * 0x0101010101010101L & 0x8040201008040201L;
      target.set(LONG, offset + row, (each + 0x7f7f7f7f7f7f7f7fL) >>> 7 & 0x0101010101010101L);
    }
    for (; row < count; row++) {
      target.set(BYTE, offset + row, (byte) bit(bits, from + row));
    }
  }

  /// Makes room for a number of bits; those that are there stay.
  static MemorySegment room(Buffer bits, int count) {
    return bits.grow((count + 7L) / 8, bits.capacity());
  }

  static void set(MemorySegment bits, int index, boolean bit) {
    int old = bits.get(BYTE, index >>> 3) & ~(1 << (index & 7));
    bits.set(BYTE, index >>> 3, (byte) (old | (bit ? 1 << (index & 7) : 0)));
  }

  static void set(MemorySegment bits, int first, int count, boolean bit) {
    for (int i = 0; i < count; i++) {
      set(bits, first + i, bit);
    }
  }
}
