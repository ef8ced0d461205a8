package dev.penstock.internal.cast;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Converts the elements of lists, and the entries of maps.
final class ListConverter extends Converter {
  private final DataType type;
  private final Converter element;

  private ListConverter(DataType type, Converter element) {
    this.type = type;
    this.element = element;
  }

  static @Nullable Converter of(DataType type, @Nullable Converter element) {
    return element == null ? null : new ListConverter(type, element);
  }

  @Override
  public ColumnSlice convert(ColumnSlice slice, int from, int end) throws LostValueException {
    MemorySegment offsets = Objects.requireNonNull(slice.offsets());
    // Elements before the first list and after the last may be anything.
    ColumnSlice elements =
        element.convert(
            slice.children().getFirst(), offsets.get(INT, from * 4L), offsets.get(INT, end * 4L));
    return ColumnSlice.list(
        type, slice.rowCount(), slice.nullCount(), slice.validity(), offsets, elements);
  }

  @Override
  public void close() {
    element.close();
  }
}
