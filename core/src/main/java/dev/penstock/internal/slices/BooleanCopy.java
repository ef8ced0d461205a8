package dev.penstock.internal.slices;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Copies of booleans: one bit each.
final class BooleanCopy extends ColumnCopy {
  private final Buffer values = buffer();

  BooleanCopy(DataType type, ScratchMemory memory) {
    super(type, List.of(), memory);
  }

  @Override
  void appendValues(ColumnSlice slice, Selection chosen) {
    chosen.copyBits(slice.values(), Bits.room(values, rows() + chosen.count()), rows());
  }

  @Override
  void appendZeroValues(int count) {
    Bits.set(Bits.room(values, rows() + count), rows(), count, false);
  }

  @Override
  ColumnSlice slice(int rows, int nulls, @Nullable MemorySegment validity) {
    return ColumnSlice.fixed(type, rows, nulls, validity, values.segment());
  }
}
