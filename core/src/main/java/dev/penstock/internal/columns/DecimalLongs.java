package dev.penstock.internal.columns;

import dev.penstock.internal.boxing.ObjectMaker;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Writes the unscaled values of decimals, which have to fit into 64 bits.
final class DecimalLongs implements ElementWriter {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private final DataType.Decimal type;
  private final int width;

  DecimalLongs(DataType.Decimal type) {
    this.type = type;
    this.width = type.byteWidth();
  }

  @Override
  public void write(ColumnSlice slice, int from, int count, MemorySegment elements, long to)
      throws UnfitElementException {
    MemorySegment source = slice.values();
    if (width == 8) {
      MemorySegment.copy(source, from * 8L, elements, to * 8, count * 8L);
      return;
    }
    for (int row = from; row < from + count; row++) {
      long at = (long) row * width;
      long value = source.get(LONG, at);
      if (!fits(source, at, width) && ObjectMaker.isPresent(slice.validity(), row)) {
        throw new UnfitElementException(
            row,
            FloatCast.decimal(source, at, width, type.scale())
                + ", and INT64 cannot hold it without its point",
            "Use DecimalForm.FLOAT64, or leave the option out.");
      }
      elements.setAtIndex(LONG, to + row - from, value);
    }
  }

  /// Returns whether a two's complement number fits into its lowest 64 bits.
  static boolean fits(MemorySegment source, long at, int width) {
    long sign = source.get(LONG, at) >> 63;
    long others = 0;
    for (int i = 8; i < width; i += 8) {
      others |= source.get(LONG, at + i) ^ sign;
    }
    return others == 0;
  }
}
