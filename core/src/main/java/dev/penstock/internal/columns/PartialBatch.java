package dev.penstock.internal.columns;

import dev.penstock.internal.boxing.ObjectMaker;
import dev.penstock.internal.columns.ColumnPlan.ArrowPlan;
import dev.penstock.internal.columns.ColumnPlan.MatrixPlan;
import dev.penstock.internal.columns.ColumnPlan.ObjectPlan;
import dev.penstock.internal.columns.ColumnPlan.RaggedPlan;
import dev.penstock.internal.columns.ColumnPlan.TensorPlan;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.memory.SlabPool;
import dev.penstock.internal.plan.RunPlace;
import dev.penstock.internal.slices.RowPart;
import dev.penstock.internal.slices.Rows;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A batch that workers are filling: its slab, its object columns, and which rows it has.
///
/// **Ownership.** Owns all memory of the batch until [#release()], also when the batch is finished.
///
/// Rows come in parts, one from each [ColumnGroup]. The record of rows present is guarded by the
/// lock of [dev.penstock.internal.deliver.DeliveryQueue]; rows are written without a lock, each
/// part by one worker, and are visible to the consumer through that lock.
public final class PartialBatch {
  /// Its number in the epoch, counted from 0.
  public final long number;

  final @Nullable Object[][] objects;

  private final BatchMemory memory;
  private final SlabPool.Slab slab;
  private final RaggedColumn[] ragged;
  private final ArrowColumn[] arrow;
  private final List<PartColumn<?>> inParts = new ArrayList<>(); // both
  private final AtomicLong objectBytes = new AtomicLong(); // estimated; workers add their parts

  private final @Nullable List<RowPart>[] parts; // of each row; empty where nobody asks

  private int rowCount;
  private @Nullable RunPlace end;
  private long handedOver; // bytes
  private boolean released;

  /// Rows still missing, counted once per group.
  private long missing;

  /// For each group, the rows present; null until the first are.
  private final @Nullable BitSet[] present;

  /// Starts without rows.
  ///
  /// @param slab owned by the batch from now on
  /// @param memory where the slab is from; parts are taken from there too
  /// @param isTraced whether to note what its rows were made of
  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of lists
  public PartialBatch(
      long number,
      int rowCount,
      int groups,
      SlabPool.Slab slab,
      BatchMemory memory,
      BatchLayout layout,
      boolean isTraced) {
    this.number = number;
    this.parts = new List[isTraced ? rowCount : 0];
    this.rowCount = rowCount;
    this.memory = memory;
    this.slab = slab;
    this.missing = (long) rowCount * groups;
    this.present = new BitSet[groups];
    this.objects = new Object[layout.objectCount()][];
    this.ragged = new RaggedColumn[layout.raggedCount()];
    this.arrow = new ArrowColumn[layout.arrowCount()];
    for (ColumnPlan column : layout.columns()) {
      switch (column) {
        case ObjectPlan plan -> {
          objects[plan.index()] =
              plan.isLate()
                  ? new Object[rowCount]
                  : ObjectTarget.newArray(plan.field().type(), rowCount);
          addObjectBytes((long) rowCount * ObjectMaker.REFERENCE_BYTES);
        }
        case RaggedPlan plan ->
            ragged[plan.index()] = new RaggedColumn(plan, rowCount, slab.segment(), memory);
        case ArrowPlan plan ->
            arrow[plan.index()] = new ArrowColumn(plan, rowCount, slab.segment(), memory);
        case TensorPlan _, MatrixPlan _ -> {
          // These have their place in the slab.
        }
      }
    }
    Collections.addAll(inParts, ragged);
    Collections.addAll(inParts, arrow);
  }

  public int rowCount() {
    return rowCount;
  }

  /// Sets the place after the batch's rows. Called by the worker that writes the last row of the
  /// first group, before it counts the row.
  public void end(RunPlace place) {
    end = place;
  }

  /// Returns the place after the batch's rows; null for a short batch, behind which there are none.
  public @Nullable RunPlace end() {
    return end;
  }

  /// Notes what rows `[to, to + count)` were made of, if that is wanted. Called by the worker that
  /// writes them for the first group, before it counts them.
  public void trace(Rows rows, int from, int count, int to) {
    for (int i = 0; i < count && parts.length > 0; i++) {
      parts[to + i] = rows.parts(from + i);
    }
  }

  /// Returns what each row was made of, in a traced batch that is complete.
  public List<List<RowPart>> parts() {
    return List.of(Arrays.copyOf(parts, rowCount));
  }

  public void shorten(int rows) {
    missing -= (long) (rowCount - rows) * present.length;
    rowCount = rows;
  }

  /// Counts rows `[from, from + count)` as written by a group.
  public void add(int group, int from, int count) {
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

  public boolean isComplete() {
    return missing == 0;
  }

  /// Returns whether a group has written all rows in `[0, end)`.
  public boolean hasRowsBefore(int end, int group) {
    BitSet rows = present[group];
    return missing == 0 || end <= 0 || (rows != null && rows.nextClearBit(0) >= end);
  }

  /// Returns the memory of columns that have a fixed place.
  public MemorySegment memory() {
    return slab.segment();
  }

  public RaggedColumn ragged(int index) {
    return ragged[index];
  }

  ArrowColumn arrow(int index) {
    return arrow[index];
  }

  /// Returns the memory of columns in Arrow's layout, once all are whole.
  List<MemorySegment> arrowMemory() {
    List<MemorySegment> memory = new ArrayList<>();
    memory.add(slab.segment());
    inParts.forEach(column -> column.addMemory(memory));
    return memory;
  }

  void addObjectBytes(long bytes) {
    objectBytes.addAndGet(bytes);
  }

  /// Returns the bytes of all memory outside of the slab, with an estimate of objects on the heap.
  public long sideBytes() {
    return partBytes() + objectBytes.get();
  }

  private long partBytes() {
    long bytes = 0;
    for (PartColumn<?> column : inParts) {
      bytes += column.bytes();
    }
    return bytes;
  }

  /// Releases the memory that was reserved for finishing the batch, which is finished now.
  public void unreserve() {
    slab.unreserve();
  }

  /// Returns the size of all memory, without that of objects.
  long bytes() {
    return slab.segment().byteSize() + partBytes();
  }

  /// Returns the memory that cannot be given back before the batch is: its blocks and its reserve.
  public long keptBytes() {
    Set<Object> counted = Collections.newSetFromMap(new IdentityHashMap<>());
    long bytes = slab.keptBytes(counted);
    for (PartColumn<?> column : inParts) {
      bytes += column.keptBytes(counted);
    }
    return bytes;
  }

  /// Counts the batch's memory as the consumer's from now on, unless it was released already.
  public synchronized void handOver() {
    if (!released) {
      handedOver = bytes();
      memory.handOver(handedOver);
    }
  }

  /// Gives all memory back. Call it once.
  public synchronized void release() {
    released = true;
    memory.takeBack(handedOver);
    inParts.forEach(PartColumn::release);
    slab.release();
  }
}
