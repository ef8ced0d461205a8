package dev.penstock.internal.pipeline;

import dev.penstock.format.ColumnSlice;
import dev.penstock.format.SliceReader;
import dev.penstock.internal.pipeline.ColumnPlan.TensorPlan;
import java.io.IOException;

/// A boolean column: bits become bytes.
final class BoolTarget implements SliceTarget {
  private final TensorPlan plan;
  private final TensorNulls nulls;
  private ColumnSlice slice;
  private SliceContext context;

  @SuppressWarnings("NullAway.Init") // prepare() comes before copy()
  BoolTarget(TensorPlan plan) {
    this.plan = plan;
    this.nulls = new TensorNulls(plan);
  }

  @Override
  public void prepare(SliceReader reader, int rows, SliceContext context) {
    this.slice = reader.column(plan.source());
    this.context = context;
  }

  @Override
  public void copy(int from, int count, PartialBatch batch, int to) throws IOException {
    Validity.expand(slice.values(), from, count, batch.memory(), plan.offset() + to);
    nulls.apply(slice, from, count, batch, to, context);
  }
}
