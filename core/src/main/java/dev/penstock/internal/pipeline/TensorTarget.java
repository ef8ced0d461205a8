package dev.penstock.internal.pipeline;

import dev.penstock.batch.DType;
import dev.penstock.format.ColumnSlice;
import dev.penstock.format.SliceReader;
import dev.penstock.internal.pipeline.ColumnPlan.TensorPlan;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A column that becomes a tensor: values are copied as they are, the bits of booleans become
/// bytes.
final class TensorTarget implements SliceTarget {
  private final TensorPlan plan;
  private final int source;
  private final TensorNulls nulls;
  private ColumnSlice slice;
  private SliceContext context;

  @SuppressWarnings("NullAway.Init") // prepare() comes before copy()
  TensorTarget(TensorPlan plan, int source) {
    this.plan = plan;
    this.source = source;
    this.nulls = new TensorNulls(plan);
  }

  @Override
  public void prepare(SliceReader reader, int rows, SliceContext context) {
    this.slice = reader.column(source);
    this.context = context;
  }

  @Override
  public void copy(int from, int count, PartialBatch batch, int to) throws IOException {
    MemorySegment target = batch.memory();
    if (plan.dtype() == DType.BOOL) {
      Validity.expand(slice.values(), from, count, target, plan.offset() + to);
    } else {
      long width = plan.dtype().bytes();
      long offset = plan.offset() + to * width;
      MemorySegment.copy(slice.values(), from * width, target, offset, count * width);
    }
    nulls.apply(slice, from, count, batch, to, context);
  }
}
