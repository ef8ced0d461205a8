package dev.penstock.internal.compose;

import dev.penstock.internal.slices.RowCopies;
import dev.penstock.internal.slices.Rows;
import dev.penstock.internal.slices.Selection;
import dev.penstock.stats.PaddingStats;

/// Rows of a window in another order; some may come several times, or not at all.
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record RowArrangement(Rows window, int columns, int[] rows, Extent extent, PaddingStats padding)
    implements Composed {
  @Override
  public void write(int from, int to, RowCopies target) {
    Selection chosen = Selection.of(rows, from, to, 0);
    for (int column = 0; column < columns; column++) {
      target.append(column, window.column(column), chosen);
    }
  }
}
