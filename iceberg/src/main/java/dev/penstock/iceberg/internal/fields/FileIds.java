package dev.penstock.iceberg.internal.fields;

import dev.penstock.schema.Field;
import dev.penstock.spi.fields.FieldIds;
import dev.penstock.spi.fields.StoredField;
import dev.penstock.spi.format.FieldId;
import dev.penstock.spi.format.FileFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.apache.iceberg.Schema;
import org.apache.iceberg.mapping.MappedField;
import org.apache.iceberg.mapping.MappedFields;
import org.apache.iceberg.mapping.MappingUtil;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.types.TypeUtil;
import org.jspecify.annotations.Nullable;

/// The field ids of a table's files: those in a file, else by rules of Iceberg.
///
/// @param named the ids by name: from the table's property, else from its schema
/// @param stated whether a property of the table defines them; else the columns of Parquet files
///   are identified by position, as in Iceberg
public record FileIds(MappedFields named, boolean stated) {
  /// Returns how columns of a table's files are identified.
  ///
  /// @param stated the table's name mapping; null if it has none. A mapping that nests fields
  ///   differently from the schema is ignored, and the schema's names count
  public static FileIds of(Schema schema, @Nullable NameMapping stated) {
    Map<Integer, Integer> parents = TypeUtil.indexParents(schema.asStruct());
    boolean fits =
        stated != null
            && stated.asMappedFields().fields().stream()
                .allMatch(field -> fits(schema, field, null, parents));
    return new FileIds(
        (stated != null && fits ? stated : MappingUtil.create(schema)).asMappedFields(),
        stated != null);
  }

  private static boolean fits(
      Schema schema, MappedField field, @Nullable Integer parent, Map<Integer, Integer> parents) {
    Integer id = field.id();
    if (id != null && schema.findField(id) != null && !Objects.equals(parents.get(id), parent)) {
      return false;
    }
    return field.nestedMapping() == null
        || field.nestedMapping().fields().stream()
            .allMatch(part -> fits(schema, part, id, parents));
  }

  /// Returns the ids for files of a format.
  public FieldIds in(FileFormat format) {
    boolean byPlace = !stated && format.name().equals("parquet");
    return metadata -> {
      List<FieldId> given = metadata.fieldIds();
      if (given.stream().anyMatch(FileIds::isGiven)) {
        return given;
      }
      List<Field> fields = metadata.schema().fields();
      return byPlace ? byPlace(fields, named) : named(fields, named);
    };
  }

  private static boolean isGiven(FieldId id) {
    return id.id().isPresent() || id.parts().stream().anyMatch(FileIds::isGiven);
  }

  private static List<FieldId> named(List<Field> fields, @Nullable MappedFields names) {
    return fields.stream()
        .map(field -> {
          MappedField mapped = names == null ? null : find(names, field.name());
          return mapped == null
              ? new FieldId(OptionalInt.empty(), named(StoredField.parts(field.type()), null))
              : new FieldId(
                  mapped.id() == null ? OptionalInt.empty() : OptionalInt.of(mapped.id()),
                  named(StoredField.parts(field.type()), mapped.nestedMapping()));
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
      List<Field> parts = StoredField.parts(fields.get(i).type());
      ids.add(
          new FieldId(
              OptionalInt.of(i + 1), named(parts, mapped == null ? null : mapped.nestedMapping())));
    }
    return ids;
  }
}
