package dev.penstock.internal.columns;

import dev.penstock.internal.memory.SlabPool.Slab;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/// A column in a batch that is being filled, whose rows come in parts, each in memory of its own.
///
/// **Ownership.** Owns its parts until [#release()].
///
/// **Threads.** Parts are added by any worker.
abstract sealed class PartColumn<R> permits ArrowColumn, RaggedColumn {
  final TreeMap<Integer, Part<R>> partByRow = new TreeMap<>();
  private long bytes;

  record Part<R>(R rows, Slab slab) {}

  /// Adds rows; from now on, their slab is this column's. A slice that failed is decoded again, row
  /// by row: so rows may come twice, with the same values.
  public synchronized void add(int row, R rows, Slab slab) {
    bytes += slab.segment().byteSize();
    Part<R> before = partByRow.put(row, new Part<>(rows, slab));
    if (before != null) {
      release(before);
    }
  }

  synchronized long bytes() {
    return bytes;
  }

  /// Returns the memory that cannot be given back while the parts exist, see [Slab#keptBytes].
  synchronized long keptBytes(Set<Object> counted) {
    return partByRow.values().stream().mapToLong(part -> part.slab().keptBytes(counted)).sum();
  }

  synchronized void unreserve() {
    partByRow.values().forEach(part -> part.slab().unreserve());
  }

  synchronized void addMemory(List<MemorySegment> memory) {
    partByRow.values().forEach(part -> memory.add(part.slab().segment()));
  }

  synchronized void release() {
    partByRow.values().forEach(this::release);
    partByRow.clear();
  }

  private void release(Part<R> part) {
    bytes -= part.slab().segment().byteSize();
    part.slab().release();
  }
}
