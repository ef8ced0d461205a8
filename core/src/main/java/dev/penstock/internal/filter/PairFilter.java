package dev.penstock.internal.filter;

import dev.penstock.filter.Operator;
import dev.penstock.internal.filter.Condition.Pair;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A comparison of two columns on the rows of a slice: first for nulls, then of the values.
record PairFilter(Pair pair, PairOrder values) implements RowFilter {
  static PairFilter of(Pair pair) {
    return new PairFilter(pair, PairOrder.of(pair.leftType(), pair.rightType()));
  }

  @Override
  public boolean keep(long[] rows, Slice slice) {
    int rowCount = slice.rowCount();
    ColumnSlice left = slice.column(pair.left(), pair.leftType());
    ColumnSlice right = slice.column(pair.right(), pair.rightType());
    long any = 0;
    for (int w = 0; w < RowFilter.words(rowCount); w++) {
      long asked = rows[w];
      if (asked != 0) {
        asked &= present(left.validity(), w, rowCount) & present(right.validity(), w, rowCount);
      }
      rows[w] = keep(left, right, w, asked);
      any |= rows[w];
    }
    return any != 0;
  }

  private static long present(@Nullable MemorySegment validity, int word, int rowCount) {
    return validity == null ? -1 : RowFilter.bits(validity, word, rowCount);
  }

  private long keep(ColumnSlice left, ColumnSlice right, int word, long asked) {
    long kept = 0;
    for (long rest = asked; rest != 0; rest &= rest - 1) {
      int i = Long.numberOfTrailingZeros(rest);
      int order = values.order(left, right, (word << 6) + i);
      boolean holds =
          order == PairOrder.UNORDERED
              ? pair.operator() == Operator.NE
              : pair.operator().test(order);
      kept |= (holds != pair.negated() ? 1L : 0L) << i;
    }
    return kept;
  }
}
