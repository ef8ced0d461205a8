package dev.penstock.internal.cast;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;

/// Turns floating-point numbers into others of another width, or into integers.
///
/// Rounding to the nearest number is not a loss, as everywhere in floating-point arithmetic. A
/// finite number that becomes infinite is a loss, and a fraction that becomes an integer.
final class FloatConverter extends NumberConverter {
  private static final double TWO_63 = 0x1p63;
  private static final double TWO_64 = 0x1p64;

  private final int bits;

  /// From these on, numbers round to infinity; for integers, the bounds of their range.
  private final double low;

  private final double end;
  private final double[] values = new double[BLOCK];
  private final long[] integers;

  FloatConverter(int bits, DataType to, boolean lossy, ScratchMemory memory) {
    super(new DataType.Floating(bits), to, lossy, memory);
    this.bits = bits;
    this.integers = new long[to instanceof DataType.Int ? BLOCK : 0];
    if (to instanceof DataType.Int(int width, boolean signed)) {
      // Both are exact, and so is `low - 1 < value < end` for whole numbers.
      this.end = signed ? Math.scalb(1.0, width - 1) : Math.scalb(1.0, width);
      this.low = signed ? -end : 0;
    } else {
      // The middle between the greatest number and the one that would be next: it rounds up.
      this.end =
          switch (to.byteWidth()) {
            case 2 -> 65520;
            case 4 -> 0x1.ffffffp127;
            default -> Double.POSITIVE_INFINITY;
          };
      this.low = -end;
    }
  }

  @Override
  void block(ColumnSlice slice, int at, int count, MemorySegment target) throws LostValueException {
    load(slice.values(), at, count);
    if (to instanceof DataType.Int) {
      toIntegers(slice, at, count);
      store(integers, count, target, at, to.byteWidth());
      return;
    }
    if (!lossy) {
      requireFinite(slice, at, count);
    }
    store(values, count, target, at, to.byteWidth());
  }

  private void load(MemorySegment source, int at, int count) {
    switch (bits) {
      case 16 -> {
        for (int i = 0; i < count; i++) {
          values[i] = Float.float16ToFloat(source.get(SHORT, (at + i) * 2L));
        }
      }
      case 32 -> {
        for (int i = 0; i < count; i++) {
          values[i] = Float.intBitsToFloat(source.get(INT, (at + i) * 4L));
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          values[i] = Double.longBitsToDouble(source.get(LONG, (at + i) * 8L));
        }
      }
    }
  }

  private void requireFinite(ColumnSlice slice, int at, int count) throws LostValueException {
    int wrong = 0;
    for (int i = 0; i < count; i++) {
      wrong |= Math.abs(values[i]) >= end ? 1 : 0;
    }
    if (wrong != 0) {
      for (int i = 0; i < count; i++) {
        if (Math.abs(values[i]) >= end
            && !Double.isInfinite(values[i])
            && isPresent(slice, at + i)) {
          throw lost(at + i, values[i], outOfRange());
        }
      }
    }
  }

  private void toIntegers(ColumnSlice slice, int at, int count) throws LostValueException {
    int wrong = 0;
    for (int i = 0; i < count; i++) {
      double value = values[i];
      // Every comparison is false for NaN.
      wrong |= value >= low && value < end && value == Math.rint(value) ? 0 : 1;
      integers[i] = (long) value;
    }
    boolean unsigned = end == TWO_64;
    if (wrong == 0 && !unsigned) {
      return;
    }
    long least = least(to);
    long most = most(to);
    for (int i = 0; i < count; i++) {
      double value = values[i];
      boolean inside = value >= low && value < end;
      if (!lossy && !(inside && value == Math.rint(value)) && isPresent(slice, at + i)) {
        throw lost(at + i, value, inside ? inexact() : outOfRange());
      }
      if (unsigned) {
        integers[i] = unsigned(value);
      } else {
        integers[i] = Math.clamp(integers[i], least, most);
      }
    }
  }

  /// Cuts the fraction off and clamps to the unsigned 64-bit range; 0 for NaN.
  private static long unsigned(double value) {
    if (!(value > 0)) {
      return 0;
    }
    return value < TWO_63
        ? (long) value
        : value < TWO_64 ? (long) (value - TWO_63) + Long.MIN_VALUE : -1L;
  }
}
