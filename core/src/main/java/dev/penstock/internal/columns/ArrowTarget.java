package dev.penstock.internal.columns;

import dev.penstock.batch.NullValueException;
import dev.penstock.internal.columns.ColumnPlan.ArrowPlan;
import dev.penstock.internal.slices.Rows;
import dev.penstock.spi.format.ColumnSlice;
import java.io.IOException;

/// A column that stays in Arrow's layout, its nulls marked in its validity bits.
final class ArrowTarget implements SliceTarget {
  private final ArrowPlan plan;
  private final int source;
  private ColumnSlice slice;
  private Rows rows;

  @SuppressWarnings("NullAway.Init") // prepare() comes before copy()
  ArrowTarget(ArrowPlan plan, int source) {
    this.plan = plan;
    this.source = source;
  }

  @Override
  public void prepare(Rows rows) {
    this.slice = rows.column(source);
    this.rows = rows;
  }

  @Override
  public void copy(int from, int count, PartialBatch batch, int to) throws IOException {
    switch (plan.nulls()) {
      case NullHandling.Refuse _ -> {
        NullError error = NullError.in(rows, plan.name(), NullValueException::ofPolicy);
        NullError.requireNone(slice.validity(), from, count, error);
      }
      case NullHandling.Keep _ -> {
        // The validity bits say which rows are there.
      }
    }
    batch.arrow(plan.index()).copy(slice, from, count, to);
  }
}
