package dev.penstock.internal.columns;

import dev.penstock.batch.NullValueException;
import dev.penstock.internal.columns.ColumnPlan.RaggedPlan;
import dev.penstock.internal.memory.SlabPool.Slab;
import dev.penstock.internal.slices.RowOrigin;
import dev.penstock.internal.slices.Rows;
import dev.penstock.internal.slices.ScatteredRows;
import dev.penstock.spi.format.ColumnSlice;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A column of lists that becomes a ragged tensor.
///
/// Rows whose lists all have the expected length are copied straight to their place in the batch,
/// all elements at once. Others become a part, which the batch copies to its place when all rows
/// are there. Rows that are scattered over slices are copied list by list.
final class RaggedTarget implements SliceTarget {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private final RaggedPlan plan;
  private final int source;
  private final TensorNulls nulls;
  private final List<@Nullable Lists> slices = new ArrayList<>();
  private @Nullable Lists lists;
  private @Nullable ScatteredRows scattered;

  private record Lists(Rows rows, ColumnSlice slice, ColumnSlice elements, MemorySegment offsets) {
    static Lists of(Rows rows, int source) {
      ColumnSlice slice = rows.column(source);
      MemorySegment offsets = Objects.requireNonNull(slice.offsets());
      return new Lists(rows, slice, slice.children().getFirst(), offsets);
    }

    long start(int row) {
      return offsets.getAtIndex(INT, row);
    }

    long total(int from, int count) {
      return start(from + count) - start(from);
    }
  }

  RaggedTarget(RaggedPlan plan, int source) {
    this.plan = plan;
    this.source = source;
    this.nulls = new TensorNulls(plan.dtype(), plan.nulls().elements());
  }

  @Override
  public void prepare(Rows rows) {
    slices.clear();
    scattered = rows instanceof ScatteredRows each ? each : null;
    if (scattered == null) {
      lists = Lists.of(rows, source);
      return;
    }
    for (int number = 0; number < scattered.sliceCount(); number++) {
      Rows slice = scattered.slice(number);
      slices.add(slice == null ? null : Lists.of(slice, source));
    }
  }

  @Override
  public void copy(int from, int count, PartialBatch batch, int to) throws IOException {
    ScatteredRows rows = scattered;
    if (rows != null) {
      scatter(rows, from, count, batch, to);
    } else {
      copy(Objects.requireNonNull(lists), from, count, batch, to);
    }
  }

  private void copy(Lists lists, int from, int count, PartialBatch batch, int to)
      throws IOException {
    markLists(lists, from, count, batch, to);
    RaggedColumn column = batch.ragged(plan.index());
    RaggedPart room = column.room;
    if (room != null && areExpected(lists, from, count)) {
      copyElements(lists, from, count, room, (long) to * plan.room().length());
      return;
    }
    Filling filling =
        part -> {
          for (int i = 0; i <= count; i++) {
            part.offset(i, lists.total(from, i));
          }
          copyElements(lists, from, count, part, 0);
        };
    add(column, to, count, lists.total(from, count), filling);
  }

  private interface Filling {
    void fill(RaggedPart part) throws IOException;
  }

  private void add(RaggedColumn column, int to, int count, long total, Filling filling)
      throws IOException {
    Slab slab = column.take(count, total);
    try {
      RaggedPart part = new RaggedPart(plan, slab.segment(), count, total);
      filling.fill(part);
      column.add(to, part, slab);
    } catch (Throwable e) {
      slab.release();
      throw e;
    }
  }

  private void scatter(ScatteredRows rows, int from, int count, PartialBatch batch, int to)
      throws IOException {
    RaggedColumn column = batch.ragged(plan.index());
    RaggedPart room = column.room;
    long total = 0;
    boolean areExpected = true;
    for (int i = 0; i < count; i++) {
      Lists own = lists(rows, from + i);
      int row = rows.rowInSlice()[from + i];
      markLists(own, row, 1, batch, to + i);
      areExpected &= own.total(row, 1) == plan.room().length();
      total += own.total(row, 1);
    }
    if (room != null && areExpected) {
      for (int i = 0; i < count; i++) {
        int row = rows.rowInSlice()[from + i];
        long at = (long) (to + i) * plan.room().length();
        copyElements(lists(rows, from + i), row, 1, room, at);
      }
      return;
    }
    Filling filling =
        part -> {
          long at = 0;
          part.offset(0, 0);
          for (int i = 0; i < count; i++) {
            Lists own = lists(rows, from + i);
            int row = rows.rowInSlice()[from + i];
            copyElements(own, row, 1, part, at);
            at += own.total(row, 1);
            part.offset(i + 1, at);
          }
        };
    add(column, to, count, total, filling);
  }

  private Lists lists(ScatteredRows rows, int row) {
    return Objects.requireNonNull(slices.get(rows.sliceOfRow()[row]));
  }

  /// Writes the mask of lists; a null list is an error if nulls are refused.
  private void markLists(Lists lists, int from, int count, PartialBatch batch, int to)
      throws NullValueException {
    MemorySegment validity = lists.slice().validity();
    switch (plan.nulls().lists()) {
      case NullHandling.Refuse _ -> {
        NullError error = NullError.in(lists.rows(), plan.name(), NullValueException::ofList);
        NullError.requireNone(validity, from, count, error);
      }
      case NullHandling.Keep _, NullHandling.Mask _ ->
          TensorNulls.mark(validity, from, count, batch.memory(), plan.nulls().maskOffset() + to);
    }
  }

  private boolean areExpected(Lists lists, int from, int count) {
    boolean expected = true;
    for (int i = 1; i <= count; i++) {
      expected &= lists.total(from, i) == (long) i * plan.room().length();
    }
    return expected;
  }

  private void copyElements(Lists lists, int from, int count, RaggedPart block, long to)
      throws IOException {
    int first = (int) lists.start(from);
    int total = (int) lists.total(from, count);
    ColumnSlice elements = lists.elements();
    TensorTarget.copy(elements, plan.dtype(), first, total, block.values(), to);
    NullError error = element -> nullElementAt(lists, element);
    nulls.apply(elements, first, total, block.values(), block.mask(), to, error);
  }

  private NullValueException nullElementAt(Lists lists, int element) {
    int row = 0;
    while (lists.start(row + 1) <= element) {
      row++;
    }
    RowOrigin origin = lists.rows().origin(row);
    return NullValueException.ofElement(
        plan.name(), element - lists.start(row), origin.row(), origin.file().text());
  }
}
