package dev.penstock.internal.columns;

import dev.penstock.batch.NullValueException;
import dev.penstock.internal.columns.ColumnPlan.RaggedPlan;
import dev.penstock.internal.memory.SlabPool.Slab;
import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.internal.slices.Rows;
import dev.penstock.spi.format.ColumnSlice;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/// A column of lists that becomes a ragged tensor.
///
/// Rows whose lists all have the expected length are copied straight to their place in the batch,
/// all elements at once. Others become a part, which the batch copies to its place when all rows
/// are there.
final class RaggedTarget implements SliceTarget {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private final RaggedPlan plan;
  private final int source;
  private final TensorNulls nulls;
  private ColumnSlice slice;
  private ColumnSlice elements;
  private MemorySegment offsets;
  private Rows rows;

  @SuppressWarnings("NullAway.Init") // prepare() comes before copy()
  RaggedTarget(RaggedPlan plan, int source) {
    this.plan = plan;
    this.source = source;
    this.nulls = new TensorNulls(plan.dtype(), plan.nulls().elements());
  }

  @Override
  public void prepare(Rows rows) {
    this.slice = rows.column(source);
    this.elements = slice.children().getFirst();
    this.offsets = Objects.requireNonNull(slice.offsets());
    this.rows = rows;
  }

  @Override
  public void copy(int from, int count, PartialBatch batch, int to) throws IOException {
    markLists(from, count, batch, to);
    RaggedColumn column = batch.ragged(plan.index());
    RaggedPart room = column.room();
    if (room != null && areExpected(from, count)) {
      copyElements(from, count, room, (long) to * plan.room().length());
      return;
    }
    long total = start(from + count) - start(from);
    Slab slab = column.take(count, total);
    try {
      RaggedPart part = new RaggedPart(plan, slab.segment(), count, total);
      for (int i = 0; i <= count; i++) {
        part.offset(i, start(from + i) - start(from));
      }
      copyElements(from, count, part, 0);
      column.add(to, part, slab);
    } catch (Throwable e) {
      slab.release();
      throw e;
    }
  }

  /// Writes the mask of lists; a null list is an error if nulls are refused.
  private void markLists(int from, int count, PartialBatch batch, int to)
      throws NullValueException {
    switch (plan.nulls().lists()) {
      case NullHandling.Refuse _ ->
          NullError.requireNone(slice.validity(), from, count, this::nullListAt);
      case NullHandling.Keep _, NullHandling.Mask _ ->
          TensorNulls.mark(
              slice.validity(), from, count, batch.memory(), plan.nulls().maskOffset() + to);
    }
  }

  private NullValueException nullListAt(int row) {
    RowOrigin origin = rows.origin(row);
    return NullValueException.ofList(plan.name(), origin.row(), origin.file().text());
  }

  private boolean areExpected(int from, int count) {
    long first = start(from);
    boolean expected = true;
    for (int i = 1; i <= count; i++) {
      expected &= start(from + i) - first == (long) i * plan.room().length();
    }
    return expected;
  }

  private void copyElements(int from, int count, RaggedPart block, long to) throws IOException {
    int first = (int) start(from);
    int total = (int) (start(from + count) - first);
    TensorTarget.copy(elements, plan.dtype(), first, total, block.values(), to);
    nulls.apply(elements, first, total, block.values(), block.mask(), to, this::nullElementAt);
  }

  private NullValueException nullElementAt(int element) {
    int row = 0;
    while (start(row + 1) <= element) {
      row++;
    }
    RowOrigin origin = rows.origin(row);
    return NullValueException.ofElement(
        plan.name(), element - start(row), origin.row(), origin.file().text());
  }

  private long start(int row) {
    return offsets.getAtIndex(INT, row);
  }
}
