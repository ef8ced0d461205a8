package dev.penstock.internal.slices;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Copies of structs: of each of their fields.
final class StructCopy extends ColumnCopy {
  StructCopy(DataType type, List<ColumnCopy> fields, ScratchMemory memory) {
    super(type, fields, memory);
  }

  @Override
  void appendValues(ColumnSlice slice, Selection chosen) {
    for (int i = 0; i < children.size(); i++) {
      children.get(i).append(slice.children().get(i), chosen);
    }
  }

  @Override
  void appendZeroValues(int count) {
    children.forEach(child -> child.appendZeros(count));
  }

  @Override
  ColumnSlice slice(int rows, int nulls, @Nullable MemorySegment validity) {
    return ColumnSlice.struct(
        type, rows, nulls, validity, children.stream().map(ColumnCopy::slice).toList());
  }
}
