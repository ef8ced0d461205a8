package dev.penstock.internal.filter;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Reads numbers and bits from a column's memory, with any alignment and on any machine.
final class Words {
  static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfLong BIG_ENDIAN_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private Words() {}

  /// Returns the bits of 64 rows; bits after the last row are undefined.
  static long get(MemorySegment bits, int word, int rowCount) {
    int left = rowCount - (word << 6);
    if (left >= 64) {
      return bits.get(LONG, (long) word << 3);
    }
    long result = 0;
    for (int i = 0; i << 3 < left; i++) {
      result |= (bits.get(BYTE, ((long) word << 3) + i) & 0xffL) << (i << 3);
    }
    return result;
  }
}
