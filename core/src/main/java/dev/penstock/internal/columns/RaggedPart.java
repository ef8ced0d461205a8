package dev.penstock.internal.columns;

import dev.penstock.internal.columns.ColumnPlan.RaggedPlan;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Some rows of a ragged column in one piece of memory: the offsets of their elements, the
/// elements, and, if the plan has one, a mask of the elements, each 64-byte aligned.
///
/// Offsets are 64 bits wide and count from the block's first element.
public record RaggedPart(
    int width,
    int rows,
    long elements,
    MemorySegment offsets,
    MemorySegment values,
    @Nullable MemorySegment mask) {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final long ALIGNMENT = 64;

  /// Lays a block out in memory of at least [#bytes]; its contents are undefined.
  public RaggedPart(RaggedPlan plan, MemorySegment memory, int rows, long elements) {
    int width = plan.dtype().bytes();
    long valuesAt = aligned((rows + 1L) * 8);
    long maskAt = valuesAt + aligned(elements * width);
    boolean isMasked = plan.nulls().elements().isMasked();
    this(
        width,
        rows,
        elements,
        memory.asSlice(0, (rows + 1L) * 8),
        memory.asSlice(valuesAt, elements * width),
        isMasked ? memory.asSlice(maskAt, elements) : null);
  }

  static long bytes(RaggedPlan plan, long rows, long elements) {
    long width = plan.dtype().bytes();
    return aligned((rows + 1) * 8)
        + aligned(Math.multiplyExact(elements, width))
        + (plan.nulls().elements().isMasked() ? aligned(elements) : 0);
  }

  private static long aligned(long bytes) {
    return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
  }

  long offset(int row) {
    return offsets.getAtIndex(LONG, row);
  }

  /// Sets where a row's elements start; behind the last row, where they end.
  public void offset(int row, long element) {
    offsets.setAtIndex(LONG, row, element);
  }

  void uniformOffsets(int length) {
    for (int row = 0; row <= rows; row++) {
      offset(row, (long) row * length);
    }
  }

  /// Copies rows from another block. Those before `row` and its own offset must be there.
  void copy(RaggedPart from, int fromRow, int count, int row) {
    long source = from.offset(fromRow);
    long target = offset(row);
    for (int i = 1; i <= count; i++) {
      offset(row + i, from.offset(fromRow + i) - source + target);
    }
    long copied = from.offset(fromRow + count) - source;
    MemorySegment.copy(from.values, source * width, values, target * width, copied * width);
    if (mask != null && from.mask != null) {
      MemorySegment.copy(from.mask, source, mask, target, copied);
    }
  }
}
