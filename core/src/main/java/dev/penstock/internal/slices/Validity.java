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
    for (int i = 0; i < count; i++) {
      target.set(BYTE, offset + i, (byte) bit(bits, from + i));
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
