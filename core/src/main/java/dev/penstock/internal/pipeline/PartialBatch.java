package dev.penstock.internal.pipeline;

import dev.penstock.internal.memory.SlabPool;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// A batch that workers are filling: its slab, its object columns, and how many rows are missing.
///
/// Which rows are there is guarded by the [BatchWindow]'s lock; rows are written without a lock,
/// each by one worker, and are visible to the consumer through that lock.
final class PartialBatch {
  final long number;
  final int rowCount;
  final SlabPool.Slab slab;
  final @Nullable Object[][] lists;
  int missing;

  /// The rows that are there; absent until a part of the batch is.
  private @Nullable BitSet present;

  PartialBatch(long number, int rowCount, SlabPool.Slab slab, BatchLayout layout) {
    this.number = number;
    this.rowCount = rowCount;
    this.slab = slab;
    this.missing = rowCount;
    this.lists = new Object[layout.listCount()][];
    for (ColumnPlan column : layout.columns()) {
      if (column instanceof ColumnPlan.ListPlan plan) {
        lists[plan.index()] = ListTarget.newArray(plan.field().type(), rowCount);
      }
    }
  }

  void add(int from, int count) {
    missing -= count;
    if (missing > 0) {
      if (present == null) {
        present = new BitSet(rowCount);
      }
      present.set(from, from + count);
    }
  }

  /// Returns whether all rows in `[0, end)` are there.
  boolean hasRowsBefore(int end) {
    return missing <= 0 || end <= 0 || (present != null && present.nextClearBit(0) >= end);
  }

  MemorySegment memory() {
    return slab.segment();
  }
}
