package dev.penstock.score;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Some rows of a column in Arrow's layout, over its memory but for bits, which are copied.
final class SliceRows {
  private static final int OFFSET_BYTES = 4;

  private SliceRows() {}

  static ColumnSlice of(ColumnSlice slice, int from, int count) {
    MemorySegment validity = slice.validity();
    int nulls = validity == null ? 0 : count - present(validity, from, count);
    MemorySegment bits = validity == null || nulls == 0 ? null : bits(validity, from, count);
    DataType type = slice.type();
    return switch (type) {
      case DataType.Struct _ -> {
        List<ColumnSlice> fields =
            slice.children().stream().map(field -> of(field, from, count)).toList();
        yield ColumnSlice.struct(type, count, nulls, bits, fields);
      }
      case DataType.List _, DataType.Map _ ->
          ColumnSlice.list(
              type, count, nulls, bits, offsets(slice, from, count), slice.children().getFirst());
      case DataType.Utf8 _, DataType.Binary _ ->
          ColumnSlice.variable(
              type, count, nulls, bits, slice.values(), offsets(slice, from, count));
      case DataType.Bool _ ->
          ColumnSlice.fixed(type, count, nulls, bits, bits(slice.values(), from, count));
      default -> {
        long width = type.byteWidth();
        MemorySegment values = slice.values().asSlice(from * width, count * width);
        yield ColumnSlice.fixed(type, count, nulls, bits, values);
      }
    };
  }

  private static MemorySegment offsets(ColumnSlice slice, int from, int count) {
    @Nullable MemorySegment offsets = slice.offsets();
    return Objects.requireNonNull(offsets)
        .asSlice((long) from * OFFSET_BYTES, (count + 1L) * OFFSET_BYTES);
  }

  private static boolean bit(MemorySegment bits, int row) {
    return (bits.get(ValueLayout.JAVA_BYTE, row >>> 3) >>> (row & 7) & 1) != 0;
  }

  private static int present(MemorySegment bits, int from, int count) {
    int present = 0;
    for (int row = from; row < from + count; row++) {
      present += bit(bits, row) ? 1 : 0;
    }
    return present;
  }

  private static MemorySegment bits(MemorySegment bits, int from, int count) {
    byte[] moved = new byte[(count + 7) / 8];
    for (int row = 0; row < count; row++) {
      if (bit(bits, from + row)) {
        moved[row >>> 3] |= (byte) (1 << (row & 7));
      }
    }
    return MemorySegment.ofArray(moved);
  }
}
