package dev.penstock.internal.columns;

import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.NullValueException;
import dev.penstock.format.ColumnSlice;
import dev.penstock.internal.columns.ColumnPlan.ArrowPlan;
import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.internal.slices.Rows;
import dev.penstock.internal.slices.Validity;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

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
    MemorySegment validity = slice.validity();
    if (plan.nulls() instanceof NullPolicy.Reject && validity != null) {
      int row = Validity.nextNull(validity, from, from + count);
      if (row < from + count) {
        RowOrigin origin = rows.origin(row);
        throw NullValueException.ofPolicy(plan.name(), origin.row(), origin.file().text());
      }
    }
    batch.arrow(plan.index()).copy(slice, from, count, to);
  }
}
