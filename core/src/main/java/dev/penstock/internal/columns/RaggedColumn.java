package dev.penstock.internal.columns;

import dev.penstock.internal.columns.ColumnPlan.RaggedPlan;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.memory.SlabPool.Slab;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A ragged column in a batch that is being filled.
///
/// Where a row starts is known only when all rows before it are there. But lists of the expected
/// length have a place in the batch's slab from the start, the room. Rows that arrive together and
/// do not all have that length form a part, in memory of its own. When all rows are there, [#whole]
/// joins parts and room, if there are parts.
///
/// **Threads.** Parts are added by any worker; [#whole] is called after that.
public final class RaggedColumn extends PartColumn<RaggedPart> {
  private final RaggedPlan plan;
  private final BatchMemory memory;

  /// Where lists of the expected length go, row `i` from element `i * length` on; null when no
  /// length is expected.
  final @Nullable RaggedPart room;

  private record Stretch(RaggedPart block, int from, int count) {}

  /// Makes a column without rows; the batch has at most `rowCount`.
  RaggedColumn(RaggedPlan plan, int rowCount, MemorySegment slab, BatchMemory memory) {
    this.plan = plan;
    this.memory = memory;
    int length = plan.room().length();
    if (length == 0) {
      this.room = null;
    } else {
      MemorySegment at = slab.asSlice(plan.room().offset());
      this.room = new RaggedPart(plan, at, rowCount, (long) rowCount * length);
    }
  }

  public RaggedPlan plan() {
    return plan;
  }

  /// Takes memory for a part of `rows` rows that have `elements` elements in all.
  public Slab take(int rows, long elements) {
    return memory.takePart(RaggedPart.bytes(plan, rows, elements));
  }

  /// Returns all rows in one block, whose memory stays this column's.
  synchronized RaggedPart whole(int rowCount) {
    if (room != null) {
      room.uniformOffsets(plan.room().length());
    }
    unreserve();
    List<Stretch> stretches = stretches(rowCount);
    if (stretches.size() == 1 && stretches.getFirst().block().rows() == rowCount) {
      return stretches.getFirst().block();
    }
    long elements =
        stretches.stream()
            .mapToLong(s -> s.block().offset(s.from() + s.count()) - s.block().offset(s.from()))
            .sum();
    Slab slab = memory.take(RaggedPart.bytes(plan, rowCount, elements));
    RaggedPart whole = new RaggedPart(plan, slab.segment(), rowCount, elements);
    whole.offset(0, 0);
    int row = 0;
    for (Stretch stretch : stretches) {
      whole.copy(stretch.block(), stretch.from(), stretch.count(), row);
      row += stretch.count();
    }
    release();
    add(0, whole, slab);
    return whole;
  }

  /// Divides all rows into parts and rows of the room.
  private List<Stretch> stretches(int rowCount) {
    List<Stretch> stretches = new ArrayList<>();
    int row = 0;
    while (row < rowCount) {
      Map.Entry<Integer, Part<RaggedPart>> next = partByRow.ceilingEntry(row);
      int start = next == null ? rowCount : next.getKey();
      if (start > row && room != null) {
        stretches.add(new Stretch(room, row, start - row));
        row = start;
      } else if (start > row || next == null) {
        throw new IllegalStateException(
            "Rows [" + row + ", " + start + ") of column '" + plan.name() + "' are missing.");
      } else {
        RaggedPart block = next.getValue().rows();
        stretches.add(new Stretch(block, 0, block.rows()));
        row += block.rows();
      }
    }
    return stretches;
  }
}
