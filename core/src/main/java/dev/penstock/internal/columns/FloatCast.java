package dev.penstock.internal.columns;

import dev.penstock.internal.boxing.ObjectMaker;
import dev.penstock.schema.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Casts a decoded column to `float`, to the nearest value. The values of nulls are cast like any
/// other.
final class FloatCast {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

  private FloatCast() {}

  static void cast(DataType type, MemorySegment from, int rows, MemorySegment to) {
    switch (type) {
      case DataType.Bool _ -> bools(from, rows, to);
      case DataType.Int(int bits, boolean signed) when bits == 8 -> bytes(from, rows, to, signed);
      case DataType.Int(int bits, boolean signed) when bits == 16 -> shorts(from, rows, to, signed);
      case DataType.Int(int bits, boolean signed) when bits == 32 -> ints(from, rows, to, signed);
      case DataType.Int(int _, boolean signed) -> longs(from, rows, to, signed);
      case DataType.Floating(int bits) when bits == 16 -> halves(from, rows, to);
      case DataType.Floating(int bits) when bits == 32 ->
          MemorySegment.copy(from, 0, to, 0, rows * 4L);
      case DataType.Floating _ -> doubles(from, rows, to);
      case DataType.Decimal(int _, int scale) -> decimals(from, rows, to, type.byteWidth(), scale);
      default -> throw new IllegalStateException("Not numeric: " + type);
    }
  }

  private static void bools(MemorySegment from, int rows, MemorySegment to) {
    for (int i = 0; i < rows; i++) {
      to.setAtIndex(FLOAT, i, from.get(BYTE, i >>> 3) >>> (i & 7) & 1);
    }
  }

  private static void bytes(MemorySegment from, int rows, MemorySegment to, boolean signed) {
    int mask = signed ? -1 : 0xFF;
    for (int i = 0; i < rows; i++) {
      to.setAtIndex(FLOAT, i, from.get(BYTE, i) & mask);
    }
  }

  private static void shorts(MemorySegment from, int rows, MemorySegment to, boolean signed) {
    int mask = signed ? -1 : 0xFFFF;
    for (int i = 0; i < rows; i++) {
      to.setAtIndex(FLOAT, i, from.getAtIndex(SHORT, i) & mask);
    }
  }

  private static void ints(MemorySegment from, int rows, MemorySegment to, boolean signed) {
    long mask = signed ? -1L : 0xFFFF_FFFFL;
    for (int i = 0; i < rows; i++) {
      to.setAtIndex(FLOAT, i, (float) (from.getAtIndex(INT, i) & mask));
    }
  }

  private static void longs(MemorySegment from, int rows, MemorySegment to, boolean signed) {
    for (int i = 0; i < rows; i++) {
      long value = from.getAtIndex(LONG, i);
      // An unsigned value with its top bit set is halved, keeping the lowest bit for rounding.
      to.setAtIndex(
          FLOAT,
          i,
          signed || value >= 0 ? (float) value : (float) ((value >>> 1) | (value & 1)) * 2f);
    }
  }

  private static void halves(MemorySegment from, int rows, MemorySegment to) {
    for (int i = 0; i < rows; i++) {
      to.setAtIndex(FLOAT, i, Float.float16ToFloat(from.getAtIndex(SHORT, i)));
    }
  }

  private static void doubles(MemorySegment from, int rows, MemorySegment to) {
    for (int i = 0; i < rows; i++) {
      to.setAtIndex(FLOAT, i, (float) from.getAtIndex(DOUBLE, i));
    }
  }

  private static void decimals(
      MemorySegment from, int rows, MemorySegment to, int width, int scale) {
    for (int i = 0; i < rows; i++) {
      to.setAtIndex(
          FLOAT, i, ObjectMaker.decimal(from, (long) i * width, width, scale).floatValue());
    }
  }
}
