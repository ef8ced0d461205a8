package dev.penstock.internal.slices;

import dev.penstock.internal.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Reads and writes bits, the least significant of a byte first.
final class Bits {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  private Bits() {}

  /// Makes room for a number of bits; those that are there stay.
  static MemorySegment room(Buffer bits, int count) {
    return bits.grow((count + 7L) / 8, bits.capacity());
  }

  static int get(MemorySegment bits, int index) {
    return bits.get(BYTE, index >>> 3) >>> (index & 7) & 1;
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
