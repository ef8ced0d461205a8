package dev.penstock.internal.cast;

import dev.penstock.internal.number.Float16;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/// Converts decimals with more than 18 digits on either side, and decimals to the nearest
/// floating-point numbers.
///
/// Makes an object for each value, except from short decimals to floating-point numbers; decimals
/// are delivered as objects anyway.
final class DecimalConverter extends NumberConverter {
  private static final double[] POWERS = new double[23];

  static {
    BigDecimal power = BigDecimal.ONE;
    for (int i = 0; i < POWERS.length; i++) {
      POWERS[i] = power.doubleValue(); // exact up to 10^22
      power = power.movePointRight(1);
    }
  }

  private final int scale;
  private final boolean unsigned;
  private final double[] floats;

  DecimalConverter(DataType from, DataType to, boolean lossy, ScratchMemory memory) {
    super(from, to, lossy, memory);
    this.scale = from instanceof DataType.Decimal decimal ? decimal.scale() : 0;
    this.unsigned = isUnsignedLong(from);
    this.floats = new double[to instanceof DataType.Floating ? BLOCK : 0];
  }

  @Override
  void block(ColumnSlice slice, int at, int count, MemorySegment target) throws LostValueException {
    if (to instanceof DataType.Floating floating) {
      for (int i = 0; i < count; i++) {
        floats[i] = isPresent(slice, at + i) ? toFloat(slice, at + i, floating.bits()) : 0;
      }
      store(floats, count, target, at, to.byteWidth());
      return;
    }
    int width = to.byteWidth();
    for (int i = 0; i < count; i++) {
      BigInteger whole =
          isPresent(slice, at + i) ? toWhole(decimal(slice, at + i), at + i) : BigInteger.ZERO;
      byte[] bytes = ConstantColumn.littleEndian(whole, width);
      MemorySegment.copy(bytes, 0, target, BYTE, (long) (at + i) * width, width);
    }
  }

  /// Returns the number to store: the integer, or the unscaled value of the decimal.
  private BigInteger toWhole(BigDecimal value, int index) throws LostValueException {
    int digits = to instanceof DataType.Decimal decimal ? decimal.scale() : 0;
    BigDecimal scaled = value.setScale(digits, RoundingMode.DOWN);
    if (!lossy && scaled.compareTo(value) != 0) {
      throw lost(index, value.toPlainString(), inexact());
    }
    BigInteger whole = scaled.unscaledValue();
    BigInteger least = bound(to, true);
    BigInteger most = bound(to, false);
    if (whole.compareTo(least) >= 0 && whole.compareTo(most) <= 0) {
      return whole;
    }
    if (!lossy) {
      throw lost(index, value.toPlainString(), outOfRange());
    }
    return whole.signum() < 0 ? least : most;
  }

  private double toFloat(ColumnSlice slice, int index, int bits) throws LostValueException {
    if (from.byteWidth() == 8) {
      long unscaled = slice.values().get(LONG, index * 8L);
      // Both operands are exact, so the quotient is the nearest number, unlike one rounded twice.
      if (bits == 64 && Math.abs(unscaled) <= 1L << 53) {
        return unscaled / POWERS[scale];
      }
    }
    BigDecimal value = decimal(slice, index);
    double number = bits == 64 ? value.doubleValue() : value.floatValue();
    if (bits == 16) {
      number = Float.float16ToFloat(Float16.nearest(value));
    }
    if (!lossy && Double.isInfinite(number)) {
      throw lost(index, value.toPlainString(), outOfRange());
    }
    return number;
  }

  private BigDecimal decimal(ColumnSlice slice, int index) {
    MemorySegment values = slice.values();
    int width = from.byteWidth();
    if (width <= 8) {
      long value =
          switch (width) {
            case 1 -> values.get(BYTE, index);
            case 2 -> values.get(SHORT, index * 2L);
            case 4 -> values.get(INT, index * 4L);
            default -> values.get(LONG, index * 8L);
          };
      if (from instanceof DataType.Int(int bits, boolean signed) && !signed && bits < 64) {
        value &= (1L << bits) - 1;
      }
      return unsigned && value < 0
          ? new BigDecimal(Long.toUnsignedString(value))
          : BigDecimal.valueOf(value, scale);
    }
    byte[] bytes = new byte[width];
    for (int i = 0; i < width; i++) {
      bytes[width - 1 - i] = values.get(BYTE, (long) index * width + i);
    }
    return new BigDecimal(new BigInteger(bytes), scale);
  }
}
