package dev.penstock.iceberg.internal.fields;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.FieldId;
import dev.penstock.spi.format.FileMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.iceberg.mapping.MappedField;
import org.apache.iceberg.mapping.MappedFields;
import org.apache.iceberg.mapping.MappingUtil;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.types.TypeUtil;
import org.jspecify.annotations.Nullable;

/// A column of a file, or a part of one, with the field id that it has in the table.
///
/// @param field name and type in the file
/// @param id the field id; empty if it does not belong to the table
/// @param path its path in the format; null inside a list or map
/// @param parts the fields of a struct, the element of a list, key and value of a map
public record StoredField(
    Field field, OptionalInt id, @Nullable String path, List<StoredField> parts) {
  /// How columns without field ids in their file are identified.
  ///
  /// @param named the ids by name: from the table's property, else from its schema
  /// @param stated whether a property of the table defines them; else the columns of Parquet files
  ///   are identified by position, as in Iceberg
  public record Fallback(MappedFields named, boolean stated) {
    /// Returns how columns of a table's files are identified.
    ///
    /// @param stated the table's name mapping; null if it has none. A mapping that nests fields
    ///   differently from the schema is ignored, and the schema's names count
    public static Fallback of(org.apache.iceberg.Schema schema, @Nullable NameMapping stated) {
      Map<Integer, Integer> parents = TypeUtil.indexParents(schema.asStruct());
      boolean fits =
          stated != null
              && stated.asMappedFields().fields().stream()
                  .allMatch(field -> fits(schema, field, null, parents));
      return new Fallback(
          (stated != null && fits ? stated : MappingUtil.create(schema)).asMappedFields(),
          stated != null);
    }

    private static boolean fits(
        org.apache.iceberg.Schema schema,
        MappedField field,
        @Nullable Integer parent,
        Map<Integer, Integer> parents) {
      Integer id = field.id();
      if (id != null && schema.findField(id) != null && !Objects.equals(parents.get(id), parent)) {
        return false;
      }
      return field.nestedMapping() == null
          || field.nestedMapping().fields().stream()
              .allMatch(part -> fits(schema, part, id, parents));
    }
  }

  /// Returns the columns of a file.
  ///
  /// @param format the name of its format
  public static List<StoredField> of(FileMetadata metadata, String format, Fallback fallback) {
    List<Field> fields = metadata.schema().fields();
    List<FieldId> ids = metadata.fieldIds();
    if (ids.stream().noneMatch(StoredField::isGiven)) {
      boolean byPlace = !fallback.stated && format.equals("parquet");
      ids = byPlace ? byPlace(fields, fallback.named) : named(fields, fallback.named);
    }
    List<StoredField> columns = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      columns.add(of(fields.get(i), ids.get(i), fields.get(i).name()));
    }
    return List.copyOf(columns);
  }

  private static boolean isGiven(FieldId id) {
    return id.id().isPresent() || id.parts().stream().anyMatch(StoredField::isGiven);
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

  /// Returns the parts of a type's values, under Iceberg's names.
  private static List<Field> parts(DataType type) {
    return switch (type) {
      case DataType.Struct(List<Field> fields) -> fields;
      case DataType.List(DataType element, boolean nullable) ->
          List.of(new Field("element", element, nullable));
      case DataType.Map map -> map.entry().fields();
      default -> List.of();
    };
  }

  private static List<FieldId> named(List<Field> fields, @Nullable MappedFields names) {
    return fields.stream()
        .map(field -> {
          MappedField mapped = names == null ? null : find(names, field.name());
          return mapped == null
              ? new FieldId(OptionalInt.empty(), named(parts(field.type()), null))
              : new FieldId(
                  mapped.id() == null ? OptionalInt.empty() : OptionalInt.of(mapped.id()),
                  named(parts(field.type()), mapped.nestedMapping()));
        })
        .toList();
  }

  private static @Nullable MappedField find(MappedFields names, String name) {
    return names.fields().stream()
        .filter(field -> field.names().contains(name))
        .findFirst()
        .orElse(null);
  }

  /// The first column has id 1, and so on; parts are identified by name.
  private static List<FieldId> byPlace(List<Field> fields, MappedFields names) {
    List<FieldId> ids = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      MappedField mapped = names.field(i + 1);
      List<Field> parts = parts(fields.get(i).type());
      ids.add(
          new FieldId(
              OptionalInt.of(i + 1), named(parts, mapped == null ? null : mapped.nestedMapping())));
    }
    return ids;
  }

  boolean has(int wanted) {
    return id.isPresent() && id.getAsInt() == wanted;
  }

  /// Looks for the column, or the part of a struct, that has an id.
  ///
  /// @return a column that its format can read; empty if there is none
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
