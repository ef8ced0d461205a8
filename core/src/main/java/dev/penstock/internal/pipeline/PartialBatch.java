package dev.penstock.internal.pipeline;

import dev.penstock.internal.memory.SlabPool;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// A batch that workers are filling: its slab, its object columns, and which rows are there.
///
/// Rows come in parts, one from each [ColumnGroup]. Which are there is guarded by the
/// [BatchWindow]'s lock; rows are written without a lock, each part by one worker, and are visible
/// to the consumer through that lock.
final class PartialBatch {
  final long number;
  final int rowCount;
  final SlabPool.Slab slab;
  final @Nullable Object[][] lists;

  /// Rows that are not there yet, counted in every group.
  private long missing;

  /// For each group the rows that are there; absent until a part of them is.
  private final @Nullable BitSet[] present;

  PartialBatch(long number, int rowCount, int groups, SlabPool.Slab slab, BatchLayout layout) {
    this.number = number;
    this.rowCount = rowCount;
    this.slab = slab;
    this.missing = (long) rowCount * groups;
    this.present = new BitSet[groups];
    this.lists = new Object[layout.listCount()][];
    for (ColumnPlan column : layout.columns()) {
      if (column instanceof ColumnPlan.ListPlan plan) {
        lists[plan.index()] = ListTarget.newArray(plan.field().type(), rowCount);
      }
    }
  }

  void add(int group, int from, int count) {
    missing -= count;
    if (missing > 0) {
      BitSet rows = present[group];
      if (rows == null) {
        rows = new BitSet(rowCount);
        present[group] = rows;
      }
      rows.set(from, from + count);
    }
  }

  boolean isComplete() {
    return missing == 0;
  }

  /// Returns whether all rows in `[0, end)` are there from a group.
  boolean hasRowsBefore(int end, int group) {
    BitSet rows = present[group];
    return missing == 0 || end <= 0 || (rows != null && rows.nextClearBit(0) >= end);
  }

  MemorySegment memory() {
    return slab.segment();
  }
}
