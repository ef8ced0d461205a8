package dev.penstock.spi.fields;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.FieldId;
import dev.penstock.spi.format.FileMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// A column of a file, or a part of one, with the field id that it has in the table.
///
/// @param field name and type in the file
/// @param id the field id; empty if it does not belong to the table
/// @param path its path in the format; null inside a list or map
/// @param parts the fields of a struct, the element of a list, key and value of a map
public record StoredField(
    Field field, OptionalInt id, @Nullable String path, List<StoredField> parts) {
  /// {@return the columns of a file, in order}
  ///
  /// @param metadata the file
  /// @param ids says which ids they have
  public static List<StoredField> of(FileMetadata metadata, FieldIds ids) {
    List<Field> fields = metadata.schema().fields();
    List<FieldId> given = ids.of(metadata);
    List<StoredField> columns = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      columns.add(of(fields.get(i), given.get(i), fields.get(i).name()));
    }
    return List.copyOf(columns);
  }

  private static StoredField of(Field field, FieldId id, @Nullable String path) {
    List<StoredField> parts = new ArrayList<>();
    List<Field> fields = parts(field.type());
    boolean hasPaths = path != null && field.type() instanceof DataType.Struct;
    for (int i = 0; i < Math.min(fields.size(), id.parts().size()); i++) {
      Field part = fields.get(i);
      parts.add(of(part, id.parts().get(i), hasPaths ? path + "." + part.name() : null));
    }
    return new StoredField(field, id.id(), path, List.copyOf(parts));
  }

  /// {@return the parts of values of a type: the fields of a struct, the element of a list, key and
  /// value of a map, in order}
  ///
  /// @param type any type
  public static List<Field> parts(DataType type) {
    return switch (type) {
      case DataType.Struct(List<Field> fields) -> fields;
      case DataType.List(DataType element, boolean nullable) ->
          List.of(new Field("element", element, nullable));
      case DataType.Map map -> map.entry().fields();
      default -> List.of();
    };
  }

  /// {@return whether its values are those of a table's type, or become them without loss; false
  /// also where the loader would have to convert them}
  ///
  /// @param table the type in the table
  public boolean isReadAs(DataType table) {
    return LeafForm.of(field.type(), table).type().equals(table);
  }

  /// Returns whether it has an id.
  boolean has(int wanted) {
    return id.isPresent() && id.getAsInt() == wanted;
  }

  /// {@return the column, or the part of a struct, that has an id and that its format can read;
  /// empty if there is none}
  ///
  /// @param columns the columns of a file
  /// @param id the id
  public static Optional<StoredField> find(List<StoredField> columns, int id) {
    for (StoredField column : columns) {
      if (column.path == null) {
        continue;
      }
      if (column.has(id)) {
        return Optional.of(column);
      }
      if (column.field.type() instanceof DataType.Struct) {
        Optional<StoredField> part = find(column.parts, id);
        if (part.isPresent()) {
          return part;
        }
      }
    }
    return Optional.empty();
  }
}
