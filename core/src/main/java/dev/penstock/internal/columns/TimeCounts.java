package dev.penstock.internal.columns;

import dev.penstock.batch.EpochUnit;
import dev.penstock.internal.boxing.ObjectMaker;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Writes dates and timestamps as 64-bit counts of a unit since 1970-01-01.
final class TimeCounts implements ElementWriter {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private final DataType type;
  private final EpochUnit unit;
  private final boolean isDate;
  private final long factor; // to a finer unit; else 1
  private final long divisor; // to a coarser unit; else 1

  /// The largest value that can be multiplied; the smallest is its negative.
  private final long most;

  TimeCounts(DataType type, EpochUnit unit) {
    this.type = type;
    this.unit = unit;
    this.isDate = type instanceof DataType.Date;
    long own =
        type instanceof DataType.Timestamp timestamp
            ? 1_000_000_000L / timestamp.unit().perSecond()
            : EpochUnit.DAYS.nanos();
    this.factor = Math.max(1, own / unit.nanos());
    this.divisor = Math.max(1, unit.nanos() / own);
    this.most = Long.MAX_VALUE / Math.max(2, factor);
  }

  @Override
  public void write(ColumnSlice slice, int from, int count, MemorySegment elements, long to)
      throws UnfitElementException {
    if (divisor > 1) {
      coarser(slice.values(), from, count, elements, to);
    } else if (factor > 1 || isDate) {
      finer(slice, from, count, elements, to);
    } else {
      MemorySegment.copy(slice.values(), from * 8L, elements, to * 8, count * 8L);
    }
  }

  private void coarser(MemorySegment source, int from, int count, MemorySegment elements, long to) {
    for (int i = 0; i < count; i++) {
      long value = source.getAtIndex(LONG, from + i);
      elements.setAtIndex(LONG, to + i, Math.floorDiv(value, divisor));
    }
  }

  private void finer(ColumnSlice slice, int from, int count, MemorySegment elements, long to)
      throws UnfitElementException {
    MemorySegment source = slice.values();
    long beyond = 0; // negative once one of these differences is
    for (int i = 0; i < count; i++) {
      long value = value(source, from + i);
      beyond |= (most - value) | (most + value);
      elements.setAtIndex(LONG, to + i, value * factor);
    }
    if (beyond < 0) {
      requireFits(slice, from, count);
    }
  }

  private long value(MemorySegment source, int row) {
    return isDate ? source.getAtIndex(INT, row) : source.getAtIndex(LONG, row);
  }

  private void requireFits(ColumnSlice slice, int from, int count) throws UnfitElementException {
    MemorySegment source = slice.values();
    for (int row = from; row < from + count; row++) {
      long value = value(source, row);
      boolean fits = value <= most && value >= -most;
      if (!fits && ObjectMaker.isPresent(slice.validity(), row)) {
        String own = type instanceof DataType.Timestamp stamp ? stamp.unit().toString() : "days";
        throw new UnfitElementException(
            row,
            value + " " + own + " since 1970-01-01, which INT64 cannot count in " + unit,
            "Use a coarser unit.");
      }
    }
  }
}
