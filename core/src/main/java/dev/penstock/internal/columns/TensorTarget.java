package dev.penstock.internal.columns;

import dev.penstock.batch.DType;
import dev.penstock.batch.NullValueException;
import dev.penstock.batch.UnfitValueException;
import dev.penstock.internal.columns.ColumnPlan.TensorPlan;
import dev.penstock.internal.columns.TensorForm.ElementWriter;
import dev.penstock.internal.columns.TensorForm.ElementWriter.UnfitElementException;
import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.internal.slices.Rows;
import dev.penstock.internal.slices.Validity;
import dev.penstock.spi.format.ColumnSlice;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// A column that becomes a tensor of one element per row.
public final class TensorTarget implements SliceTarget {
  private final TensorPlan plan;
  private final int source;
  private final ElementWriter writer;
  private final TensorNulls nulls;
  private ColumnSlice slice;
  private Rows rows;

  @SuppressWarnings("NullAway.Init") // prepare() comes before copy()
  TensorTarget(TensorPlan plan, int source) {
    this.plan = plan;
    this.source = source;
    this.writer = plan.form().writer().get();
    this.nulls = new TensorNulls(plan.dtype(), plan.nulls());
  }

  @Override
  public void prepare(Rows rows) {
    this.slice = rows.column(source);
    this.rows = rows;
  }

  @Override
  public void copy(int from, int count, PartialBatch batch, int to) throws IOException {
    MemorySegment memory = batch.memory();
    MemorySegment values = memory.asSlice(plan.offset());
    MemorySegment mask = plan.maskOffset() < 0 ? null : memory.asSlice(plan.maskOffset());
    try {
      writer.write(slice, from, count, values, to);
    } catch (UnfitElementException e) {
      RowOrigin origin = rows.origin(e.index);
      String value = Objects.requireNonNull(e.getMessage());
      throw new UnfitValueException(
          plan.name(), value, e.remedy, origin.file().text(), origin.row());
    }
    NullError error = NullError.in(rows, plan.name(), NullValueException::ofValue);
    nulls.apply(slice, from, count, values, mask, to, error);
  }

  /// Copies values to a tensor unchanged, also those of nulls; the bits of booleans become bytes.
  public static void copy(
      ColumnSlice slice, DType dtype, int from, int count, MemorySegment values, long to) {
    if (dtype == DType.BOOL) {
      Validity.expand(slice.values(), from, count, values, to);
    } else {
      long width = dtype.bytes();
      MemorySegment.copy(slice.values(), from * width, values, to * width, count * width);
    }
  }
}
