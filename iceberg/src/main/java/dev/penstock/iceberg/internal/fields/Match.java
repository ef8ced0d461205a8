package dev.penstock.iceberg.internal.fields;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/// Matches a column of the table, or a part of one, to its column in a file, by field id.
///
/// Parts that the file lacks are omitted, unless they have a default or the struct would otherwise
/// be empty.
///
/// @param field its name in the table, and the type in which the file's values are returned
/// @param stored the file's column; null if the file has none
/// @param place its index in the file's struct; -1 if the file has none
/// @param form how its values are converted; null if it has parts, or the file has none
/// @param parts the parts of the table's struct, the element of a list, key and value of a map
/// @param value the value of all rows if the file has none, in Iceberg's form; null for nulls
record Match(
    Field field,
    @Nullable StoredField stored,
    int place,
    @Nullable LeafForm form,
    List<Match> parts,
    @Nullable Object value) {
  /// Matches the fields of a struct, or the columns of a table.
  ///
  /// @param wanted the table's
  /// @param stored the file's
  static List<Match> of(List<Types.NestedField> wanted, List<StoredField> stored) {
    List<Match> matches = new ArrayList<>();
    for (Types.NestedField field : wanted) {
      int place = place(stored, field.fieldId());
      if (place >= 0) {
        matches.add(of(field.name(), field.type(), stored.get(place), place));
      }
    }
    return matches;
  }

  private static int place(List<StoredField> stored, int id) {
    for (int i = 0; i < stored.size(); i++) {
      if (stored.get(i).has(id)) {
        return i;
      }
    }
    return -1;
  }

  private static Match of(String name, Type type, StoredField stored, int place) {
    DataType from = stored.field().type();
    if (type.isStructType() && from instanceof DataType.Struct && !stored.parts().isEmpty()) {
      List<Match> parts = parts(type.asStructType().fields(), stored.parts());
      DataType made = new DataType.Struct(parts.stream().map(Match::field).toList());
      return nested(name, made, stored, place, parts);
    }
    if (type.isListType() && from instanceof DataType.List && !stored.parts().isEmpty()) {
      Match element = of("element", type.asListType().elementType(), stored.parts().getFirst(), 0);
      DataType made = new DataType.List(element.field.type(), element.field.nullable());
      return nested(name, made, stored, place, List.of(element));
    }
    List<StoredField> entry = entry(stored);
    if (type.isMapType() && entry != null) {
      Types.MapType map = type.asMapType();
      Match key = of("key", map.keyType(), entry.getFirst(), 0);
      Match value = of("value", map.valueType(), entry.getLast(), 1);
      DataType made =
          new DataType.Map(key.field.type(), value.field.type(), value.field.nullable());
      return nested(name, made, stored, place, List.of(key, value));
    }
    LeafForm form = LeafForm.of(from, IcebergTypes.type(type));
    Field field = new Field(name, form.type(), stored.field().nullable());
    return new Match(field, stored, place, form, List.of(), null);
  }

  /// Returns key and value of a map, which in Avro files may be a list of records; else null.
  private static @Nullable List<StoredField> entry(StoredField stored) {
    List<StoredField> parts = stored.parts();
    boolean isEntry = stored.field().type() instanceof DataType.Map;
    if (stored.field().type() instanceof DataType.List(DataType element, boolean _)
        && element instanceof DataType.Struct
        && !parts.isEmpty()) {
      parts = parts.getFirst().parts();
      isEntry = true;
    }
    return isEntry && parts.size() == 2 ? parts : null;
  }

  private static Match nested(
      String name, DataType type, StoredField stored, int place, List<Match> parts) {
    Field field = new Field(name, type, stored.field().nullable());
    return new Match(field, stored, place, null, List.copyOf(parts), null);
  }

  private static List<Match> parts(List<Types.NestedField> wanted, List<StoredField> stored) {
    List<Match> parts = of(wanted, stored);
    for (Types.NestedField field : wanted) {
      Object value = field.initialDefault();
      if (value != null && place(stored, field.fieldId()) < 0) {
        parts.add(missing(field, value));
      }
    }
    if (parts.isEmpty() && !wanted.isEmpty()) {
      parts.add(missing(wanted.getFirst(), null));
    }
    return parts;
  }

  private static Match missing(Types.NestedField field, @Nullable Object value) {
    // It is null where the struct is null.
    Field made = new Field(field.name(), IcebergTypes.type(field.type()), true);
    return new Match(made, null, -1, null, List.of(), value);
  }

  /// Returns whether slices of the file's column need no change for the table's column.
  boolean isSame() {
    if (stored == null) {
      return false;
    }
    return form != null
        ? form.change() == LeafForm.Change.NONE
        : field.type().equals(stored.field().type()) && parts.stream().allMatch(Match::isSame);
  }
}
