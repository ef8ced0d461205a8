package dev.penstock.tck.internal;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The values of slices, in a form to compare them with others of the same type.
public final class SliceRows {
  private SliceRows() {}

  /// {@return the value of a row; null for a null}
  ///
  /// @param slice the slice
  /// @param row one of its rows
  public static @Nullable Object value(ColumnSlice slice, int row) {
    MemorySegment validity = slice.validity();
    if (validity != null && !bit(validity, row)) {
      return null;
    }
    return switch (slice.type()) {
      case DataType.Null _ -> null;
      case DataType.Bool _ -> bit(slice.values(), row);
      case DataType.Utf8 _, DataType.Binary _ -> text(slice, row);
      case DataType.Struct _ ->
          slice.children().stream().map(part -> Objects.toString(value(part, row))).toList();
      case DataType.List _, DataType.Map _ -> elements(slice, row);
      case DataType type ->
          hex(slice.values(), (long) row * type.byteWidth(), (row + 1L) * type.byteWidth());
    };
  }

  private static boolean bit(MemorySegment bits, int row) {
    return (bits.get(ValueLayout.JAVA_BYTE, row / 8) >> row % 8 & 1) == 1;
  }

  private static int at(@Nullable MemorySegment numbers, long index) {
    return Objects.requireNonNull(numbers).get(ValueLayout.JAVA_INT_UNALIGNED, 4 * index);
  }

  private static String hex(MemorySegment bytes, long from, long to) {
    return HexFormat.of().formatHex(bytes.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE));
  }

  private static String text(ColumnSlice slice, int row) {
    TextDictionary dictionary = slice.dictionary();
    MemorySegment offsets = dictionary == null ? slice.offsets() : dictionary.offsets();
    int place = dictionary == null ? row : at(slice.codes(), row);
    return hex(slice.values(), at(offsets, place), at(offsets, place + 1L));
  }

  private static List<@Nullable Object> elements(ColumnSlice slice, int row) {
    List<@Nullable Object> elements = new ArrayList<>();
    for (int i = at(slice.offsets(), row); i < at(slice.offsets(), row + 1L); i++) {
      elements.add(value(slice.children().getFirst(), i));
    }
    return elements;
  }
}
