package dev.penstock.internal.columns;

import dev.penstock.internal.columns.ArrowPart.Stretch;
import dev.penstock.internal.columns.ColumnPlan.ArrowPlan;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.memory.SlabPool.Slab;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A column in Arrow's layout in a batch that is being filled.
///
/// Values of a fixed width, booleans and their validity bits have a place in the batch's slab from
/// the start. Where strings, binaries and nested values start is known only when all rows before
/// them are there. So rows of these that arrive together form a part, in memory of its own, and
/// [#whole] joins the parts, unless there is only one.
///
/// **Threads.** Rows are copied by any worker; [#whole] is called after that.
final class ArrowColumn extends PartColumn<ColumnSlice> {
  private final ArrowPlan plan;
  private final BatchMemory memory;
  private final MemorySegment slab;

  /// Makes a column without rows; the slab has room for `batchSize`.
  ArrowColumn(ArrowPlan plan, int batchSize, MemorySegment slab, BatchMemory memory) {
    this.plan = plan;
    this.memory = memory;
    this.slab = slab;
    if (plan.isPlaced()) {
      bits(plan.validityOffset(), batchSize).fill((byte) 0);
      if (isBool()) {
        bits(plan.valuesOffset(), batchSize).fill((byte) 0);
      }
    }
  }

  private boolean isBool() {
    return plan.field().type() instanceof DataType.Bool;
  }

  private MemorySegment bits(long offset, int count) {
    return slab.asSlice(offset, BitCopy.bytes(count));
  }

  /// Copies rows `[from, from + count)` of a slice to `row` and those after it.
  void copy(ColumnSlice slice, int from, int count, int row) {
    Stretch stretch = new Stretch(slice, from, count, false);
    if (!plan.isPlaced()) {
      List<Stretch> rows = List.of(stretch);
      Slab taken = memory.takePart(ArrowPart.bytes(plan.field().type(), rows));
      add(row, written(rows, taken), taken);
      return;
    }
    BitCopy.or(slice.validity(), from, count, slab.asSlice(plan.validityOffset()), row);
    MemorySegment values = slab.asSlice(plan.valuesOffset());
    if (isBool()) {
      BitCopy.or(slice.values(), from, count, values, row);
    } else {
      ArrowPart.copyFixed(stretch, plan.field().type(), values, row);
    }
  }

  private ColumnSlice written(List<Stretch> stretches, Slab taken) {
    try {
      return ArrowPart.write(plan.field().type(), stretches, taken.segment());
    } catch (Throwable e) {
      taken.release();
      throw e;
    }
  }

  /// Returns all rows; their memory stays this column's.
  synchronized ColumnSlice whole(int rowCount) {
    if (plan.isPlaced()) {
      return placed(rowCount);
    }
    unreserve();
    List<Stretch> stretches = stretches(rowCount);
    if (stretches.size() == 1) {
      return stretches.getFirst().slice();
    }
    Slab taken = memory.take(ArrowPart.bytes(plan.field().type(), stretches));
    ColumnSlice whole = written(stretches, taken);
    release();
    add(0, whole, taken);
    return whole;
  }

  private ColumnSlice placed(int rowCount) {
    DataType type = plan.field().type();
    MemorySegment words = bits(plan.validityOffset(), rowCount);
    int nulls = rowCount - BitCopy.count(words, rowCount);
    long bitBytes = Math.ceilDiv(rowCount, 8);
    long valueBytes = isBool() ? bitBytes : (long) rowCount * ArrowPart.width(type);
    return ColumnSlice.fixed(
        type,
        rowCount,
        nulls,
        words.asSlice(0, bitBytes),
        slab.asSlice(plan.valuesOffset(), valueBytes));
  }

  private List<Stretch> stretches(int rowCount) {
    List<Stretch> stretches = new ArrayList<>();
    int row = 0;
    while (row < rowCount) {
      Map.Entry<Integer, Part<ColumnSlice>> next = partByRow.ceilingEntry(row);
      if (next == null || next.getKey() > row) {
        throw new IllegalStateException(
            "Row " + row + " of column '" + plan.name() + "' is missing.");
      }
      ColumnSlice rows = next.getValue().rows();
      stretches.add(new Stretch(rows, 0, rows.rowCount(), true));
      row += rows.rowCount();
    }
    return stretches;
  }
}
