package dev.penstock.spi.fields;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
/// @param value the value of all rows if the file has none; empty for nulls
record Match(
    Field field,
    @Nullable StoredField stored,
    int place,
    @Nullable LeafForm form,
    List<Match> parts,
    Optional<ByteString> value) {
  /// Matches the fields of a struct, or the columns of a table.
  ///
  /// @param wanted the table's
  /// @param stored the file's
  static List<Match> of(List<TableField> wanted, List<StoredField> stored) {
    List<Match> matches = new ArrayList<>();
    for (TableField field : wanted) {
      int place = place(stored, field.id());
      if (place >= 0) {
        matches.add(of(field, stored.get(place), place));
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

  private static Match of(TableField wanted, StoredField stored, int place) {
    String name = wanted.field().name();
    DataType type = wanted.field().type();
    DataType from = stored.field().type();
    if (type instanceof DataType.Struct
        && from instanceof DataType.Struct
        && !stored.parts().isEmpty()) {
      List<Match> parts = parts(wanted.parts(), stored.parts());
      DataType made = new DataType.Struct(parts.stream().map(Match::field).toList());
      return nested(name, made, stored, place, parts);
    }
    if (type instanceof DataType.List
        && from instanceof DataType.List
        && !stored.parts().isEmpty()) {
      Match element = of(wanted.parts().getFirst(), stored.parts().getFirst(), 0);
      DataType made = new DataType.List(element.field.type(), element.field.nullable());
      return nested(name, made, stored, place, List.of(element));
    }
    List<StoredField> entry = entry(stored);
    if (type instanceof DataType.Map && entry != null) {
      Match key = of(wanted.parts().getFirst(), entry.getFirst(), 0);
      Match value = of(wanted.parts().getLast(), entry.getLast(), 1);
      DataType made =
          new DataType.Map(key.field.type(), value.field.type(), value.field.nullable());
      return nested(name, made, stored, place, List.of(key, value));
    }
    LeafForm form = LeafForm.of(from, type);
    Field field = new Field(name, form.type(), stored.field().nullable());
    return new Match(field, stored, place, form, List.of(), Optional.empty());
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
    return new Match(field, stored, place, null, List.copyOf(parts), Optional.empty());
  }

  private static List<Match> parts(List<TableField> wanted, List<StoredField> stored) {
    List<Match> parts = of(wanted, stored);
    for (TableField field : wanted) {
      if (field.initial().isPresent() && place(stored, field.id()) < 0) {
        parts.add(missing(field, field.initial()));
      }
    }
    if (parts.isEmpty() && !wanted.isEmpty()) {
      parts.add(missing(wanted.getFirst(), Optional.empty()));
    }
    return parts;
  }

  private static Match missing(TableField field, Optional<ByteString> value) {
    // It is null where the struct is null.
    Field made = new Field(field.field().name(), field.field().type(), true);
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
