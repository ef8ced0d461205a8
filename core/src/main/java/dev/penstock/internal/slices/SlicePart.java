package dev.penstock.internal.slices;

import static dev.penstock.internal.memory.Raw.BYTE;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A view of neighbouring rows of a slice.
public final class SlicePart {
  private SlicePart() {}

  /// Returns neighbouring rows without copying them; all rows are the slice itself. Null if bits
  /// would have to be shifted, and for a part of structs.
  public static @Nullable ColumnSlice of(ColumnSlice slice, int first, int count) {
    if (first == 0 && count == slice.rowCount()) {
      return slice;
    }
    DataType type = slice.type();
    MemorySegment bits = slice.validity();
    boolean hasBits = bits != null || type instanceof DataType.Bool;
    boolean moves = hasBits && first % 8 != 0;
    if (moves || type instanceof DataType.Struct) {
      return null;
    }
    int nulls = bits == null ? 0 : nulls(bits, first, count);
    MemorySegment present = bits == null || nulls == 0 ? null : bits.asSlice(first / 8);
    MemorySegment values = slice.values();
    MemorySegment offsets = slice.offsets();
    return switch (type) {
      case DataType.List _, DataType.Map _ -> {
        ColumnSlice elements = slice.children().getFirst();
        yield ColumnSlice.list(type, count, nulls, present, from(offsets, first), elements);
      }
      case DataType.Utf8 _, DataType.Binary _, DataType.Variant _ when slice.dictionary() != null ->
          ColumnSlice.coded(
              type, count, nulls, present, from(slice.codes(), first), slice.dictionary());
      case DataType.Utf8 _, DataType.Binary _, DataType.Variant _ ->
          ColumnSlice.variable(type, count, nulls, present, values, from(offsets, first));
      case DataType.Bool _ ->
          ColumnSlice.fixed(type, count, nulls, present, values.asSlice(first / 8));
      default -> {
        MemorySegment rest = values.asSlice((long) first * type.byteWidth());
        yield ColumnSlice.fixed(type, count, nulls, present, rest);
      }
    };
  }

  private static MemorySegment from(@Nullable MemorySegment offsets, int first) {
    return Objects.requireNonNull(offsets).asSlice(first * 4L);
  }

  static int nulls(MemorySegment bits, int first, int count) {
    int set = 0;
    for (int row = 0; row < count; row += 8) {
      int unused = Math.max(0, 8 - (count - row));
      set += Integer.bitCount((bits.get(BYTE, (first + row) / 8) & 0xFF) << unused & 0xFF);
    }
    return count - set;
  }
}
