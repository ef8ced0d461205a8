package dev.penstock.internal.columns;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;

/// Writes decimals as the nearest doubles.
final class DecimalDoubles implements ElementWriter {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

  /// Integers up to this are doubles, and so are powers of ten up to 10^22: then one division gives
  /// the nearest double.
  private static final long EXACT_MAX = 1L << 53;

  private static final int EXACT_SCALE_MAX = 22;

  private final int width;
  private final int scale;
  private final long exactMax;
  private final double divisor;

  DecimalDoubles(DataType.Decimal type) {
    this.width = type.byteWidth();
    this.scale = type.scale();
    boolean exact = scale <= EXACT_SCALE_MAX;
    this.exactMax = exact ? EXACT_MAX : -1;
    this.divisor = exact ? BigDecimal.ONE.movePointRight(scale).doubleValue() : 1;
  }

  @Override
  public void write(ColumnSlice slice, int from, int count, MemorySegment elements, long to) {
    MemorySegment source = slice.values();
    for (int i = 0; i < count; i++) {
      long at = (long) (from + i) * width;
      long low = source.get(LONG, at);
      boolean exact = low <= exactMax && low >= -exactMax && DecimalLongs.fits(source, at, width);
      double value =
          exact ? low / divisor : FloatCast.decimal(source, at, width, scale).doubleValue();
      elements.setAtIndex(DOUBLE, to + i, value);
    }
  }
}
