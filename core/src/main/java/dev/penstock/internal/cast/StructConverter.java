package dev.penstock.internal.cast;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Converts, reorders and adds parts of structs; a part that the file lacks is null.
final class StructConverter extends Converter {
  private final DataType type;
  private final List<Part> parts;

  /// A part of the table's struct.
  ///
  /// @param source its place in the file's struct, or -1
  private record Part(
      int source, @Nullable Converter converter, @Nullable ConstantColumn missing) {}

  private StructConverter(DataType type, List<Part> parts) {
    this.type = type;
    this.parts = parts;
  }

  static @Nullable Converter of(
      String path, List<Field> stored, DataType type, List<Field> wanted, Context context) {
    List<Part> parts = new ArrayList<>();
    boolean same = stored.size() == wanted.size();
    for (int i = 0; i < wanted.size(); i++) {
      Field part = wanted.get(i);
      int source = context.names().indexOf(stored, part.name());
      if (source < 0) {
        parts.add(new Part(-1, null, new ConstantColumn(part.type(), null, context.memory())));
        same = false;
      } else {
        Converter converter =
            of(path + "." + part.name(), stored.get(source).type(), part.type(), context);
        parts.add(new Part(source, converter, null));
        same &= source == i && converter == null;
      }
    }
    return same ? null : new StructConverter(type, parts);
  }

  @Override
  public ColumnSlice convert(ColumnSlice slice, int from, int end) throws LostValueException {
    List<ColumnSlice> converted = new ArrayList<>(parts.size());
    for (Part part : parts) {
      if (part.missing != null) {
        converted.add(part.missing.slice(slice.rowCount()));
        continue;
      }
      ColumnSlice child = slice.children().get(part.source);
      Converter converter = part.converter;
      converted.add(converter == null ? child : converter.convert(child, from, end));
    }
    return ColumnSlice.struct(
        type, slice.rowCount(), slice.nullCount(), slice.validity(), converted);
  }

  @Override
  public void close() {
    for (Part part : parts) {
      if (part.converter != null) {
        part.converter.close();
      }
      if (part.missing != null) {
        part.missing.close();
      }
    }
  }
}
