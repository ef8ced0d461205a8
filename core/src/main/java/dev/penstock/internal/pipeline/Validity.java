package dev.penstock.internal.pipeline;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Reads Arrow validity bitmaps: bit `i % 8` of byte `i / 8`, 1 = present.
final class Validity {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  private Validity() {}

  static boolean isPresent(MemorySegment bits, int row) {
    return (bits.get(BYTE, row >>> 3) >>> (row & 7) & 1) != 0;
  }

  /// Returns the first null in `[from, end)`, or `end`.
  static int nextNull(MemorySegment bits, int from, int end) {
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

  /// Writes one byte per row: 1 = set, 0 = not.
  static void expand(MemorySegment bits, int from, int count, MemorySegment target, long offset) {
    for (int i = 0; i < count; i++) {
      int row = from + i;
      target.set(BYTE, offset + i, (byte) (bits.get(BYTE, row >>> 3) >>> (row & 7) & 1));
    }
  }
}
