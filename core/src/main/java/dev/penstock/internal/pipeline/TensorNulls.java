package dev.penstock.internal.pipeline;

import dev.penstock.batch.DType;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.NullValueException;
import dev.penstock.format.ColumnSlice;
import dev.penstock.internal.pipeline.ColumnPlan.TensorPlan;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Puts what the null policy says in the place of every null of a tensor column.
final class TensorNulls {
  private final TensorPlan plan;

  /// The bits to write; absent when a null is an error.
  private final @Nullable Long bits;

  TensorNulls(TensorPlan plan) {
    this.plan = plan;
    DType dtype = plan.dtype();
    this.bits =
        switch (plan.nulls()) {
          case NullPolicy.NaN _ ->
              dtype.isFloating() ? (Long) NullFill.bits(plan.field(), dtype, Double.NaN) : null;
          case NullPolicy.Fill(Number value) ->
              plan.field().nullable() ? (Long) NullFill.bits(plan.field(), dtype, value) : null;
          case NullPolicy.Mask _ -> (Long) 0L;
          case NullPolicy.Reject _ -> null;
        };
  }

  void apply(
      ColumnSlice slice, int from, int count, PartialBatch batch, int to, SliceContext context)
      throws NullValueException {
    MemorySegment memory = batch.memory();
    MemorySegment validity = slice.validity();
    if (plan.maskOffset() >= 0) {
      long offset = plan.maskOffset() + to;
      if (validity == null) {
        memory.asSlice(offset, count).fill((byte) 1);
      } else {
        Validity.expand(validity, from, count, memory, offset);
      }
    }
    if (validity == null) {
      return;
    }
    int end = from + count;
    int row = Validity.nextNull(validity, from, end);
    while (row < end) {
      if (bits == null) {
        throw new NullValueException(plan.name(), context.firstRow() + row, context.file().text());
      }
      int width = plan.dtype().bytes();
      write(memory, plan.offset() + (long) (to + row - from) * width, width, bits);
      row = Validity.nextNull(validity, row + 1, end);
    }
  }

  private static void write(MemorySegment memory, long offset, int width, long bits) {
    switch (width) {
      case 1 -> memory.set(ValueLayout.JAVA_BYTE, offset, (byte) bits);
      case 2 -> memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, offset, (short) bits);
      case 4 -> memory.set(ValueLayout.JAVA_INT_UNALIGNED, offset, (int) bits);
      default -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, bits);
    }
  }
}
