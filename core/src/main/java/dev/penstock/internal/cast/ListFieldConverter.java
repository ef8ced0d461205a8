package dev.penstock.internal.cast;

import dev.penstock.internal.table.ColumnSource.ListField;
import dev.penstock.internal.table.Names;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Makes lists of the values of a field of the structs in lists. A struct that is null gives a
/// null, as do all structs of a file that lacks the field.
final class ListFieldConverter extends Converter {
  private final DataType.List type;
  private final List<Integer> places; // of a part in the structs, of a part in that, and so on
  private final @Nullable Converter converter;
  private final @Nullable ConstantColumn missing;

  private ListFieldConverter(
      DataType.List type,
      List<Integer> places,
      @Nullable Converter converter,
      @Nullable ConstantColumn missing) {
    this.type = type;
    this.places = places;
    this.converter = converter;
    this.missing = missing;
  }

  static ListFieldConverter of(
      String path, DataType.List from, String field, DataType.List to, Context context) {
    Schema parts = Names.parts(from);
    Field part = context.names().stored(parts, field).orElse(null);
    if (part != null) {
      Converter converter = Converter.of(path, part.type(), to.element(), context);
      return new ListFieldConverter(to, parts.path(part.name()), converter, null);
    }
    ListField inner = context.names().listField(parts, field).orElse(null);
    if (inner != null) {
      Converter converter =
          Converter.ofListField(path, inner.type(), inner.field(), to.element(), context);
      return new ListFieldConverter(to, parts.path(inner.path()), converter, null);
    }
    ConstantColumn missing = ConstantColumn.of(to.element(), null, context.memory());
    return new ListFieldConverter(to, List.of(), null, missing);
  }

  @Override
  public ColumnSlice convert(ColumnSlice slice, int from, int end) throws LostValueException {
    MemorySegment offsets = Objects.requireNonNull(slice.offsets());
    ColumnSlice values = slice.children().getFirst();
    if (missing != null) {
      values = missing.slice(values.rowCount());
    }
    for (int place : places) {
      values = values.children().get(place); // null where the struct is
    }
    if (converter != null) {
      values = converter.convert(values, offsets.get(INT, from * 4L), offsets.get(INT, end * 4L));
    }
    return ColumnSlice.list(
        type, slice.rowCount(), slice.nullCount(), slice.validity(), offsets, values);
  }
}
