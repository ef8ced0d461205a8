package dev.penstock.internal.scan;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds nulls in lists, maps and structs whose types rule them out: the results made from such a
/// value have no place for a null and would take it for a 0.
final class NestedNulls {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private NestedNulls() {}

  static boolean areRuledOut(DataType type) {
    return switch (type) {
      case DataType.List(DataType element, boolean nullable) -> !nullable || areRuledOut(element);
      case DataType.Map _ -> true; // keys are never null
      case DataType.Struct(List<Field> fields) ->
          fields.stream().anyMatch(field -> !field.nullable() || areRuledOut(field.type()));
      default -> false;
    };
  }

  /// Returns a part of a column that is null in some row although its type rules that out.
  static @Nullable String find(ColumnSlice slice, String name) {
    return find(slice, 0, slice.rowCount(), name);
  }

  private static @Nullable String find(ColumnSlice slice, int from, int to, String name) {
    if (from == to) {
      return null;
    }
    return switch (slice.type()) {
      case DataType.List(DataType _, boolean nullable) -> {
        ColumnSlice element = slice.children().getFirst();
        int first = offset(slice, from);
        int end = offset(slice, to);
        yield part(null, element, nullable, first, end, name + ".element");
      }
      case DataType.Map(DataType _, DataType _, boolean nullable) -> {
        List<ColumnSlice> entry = slice.children().getFirst().children();
        int first = offset(slice, from);
        int end = offset(slice, to);
        String found = part(null, entry.getFirst(), false, first, end, name + ".key");
        yield found != null
            ? found
            : part(null, entry.getLast(), nullable, first, end, name + ".value");
      }
      case DataType.Struct(List<Field> fields) -> {
        String found = null;
        for (int i = 0; i < fields.size() && found == null; i++) {
          Field field = fields.get(i);
          ColumnSlice child = slice.children().get(i);
          found = part(slice, child, field.nullable(), from, to, name + "." + field.name());
        }
        yield found;
      }
      default -> null;
    };
  }

  private static int offset(ColumnSlice slice, int row) {
    MemorySegment offsets = slice.offsets();
    return offsets == null ? 0 : offsets.get(INT, 4L * row);
  }

  /// @param whole the slice that the part belongs to, if its rows may be null
  private static @Nullable String part(
      @Nullable ColumnSlice whole,
      ColumnSlice part,
      boolean nullable,
      int from,
      int to,
      String name) {
    if (!nullable && part.nullCount() > 0) {
      for (int row = from; row < to; row++) {
        if (isNull(part, row) && (whole == null || !isNull(whole, row))) {
          return name;
        }
      }
    }
    return find(part, from, to, name);
  }

  private static boolean isNull(ColumnSlice slice, int row) {
    MemorySegment bits = slice.validity();
    return bits != null && (bits.get(ValueLayout.JAVA_BYTE, row >> 3) >> (row & 7) & 1) == 0;
  }
}
