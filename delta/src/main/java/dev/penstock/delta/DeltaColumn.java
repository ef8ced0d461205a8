package dev.penstock.delta;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.fields.FieldIds;
import dev.penstock.spi.fields.StoredField;
import dev.penstock.spi.fields.TableField;
import dev.penstock.spi.format.FieldId;
import dev.penstock.spi.format.FileMetadata;
import io.delta.kernel.internal.util.ColumnMapping;
import io.delta.kernel.internal.util.ColumnMapping.ColumnMappingMode;
import io.delta.kernel.types.ArrayType;
import io.delta.kernel.types.MapType;
import io.delta.kernel.types.StructField;
import io.delta.kernel.types.StructType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// A column of a table, or a part of one, and its name in the log and in data files: Delta's
/// "column mapping" gives a column a name that stays when it is renamed.
///
/// @param storedName the name in log and files
/// @param table its number, and its name and type in the table
/// @param parts the fields of a struct, the element of a list, key and value of a map
record DeltaColumn(String storedName, TableField table, List<DeltaColumn> parts) {
  /// Numbers the columns of tables whose log does not, and makes their parts.
  private static final class Maker {
    private final ColumnMappingMode mode;
    private int count;

    Maker(ColumnMappingMode mode) {
      this.mode = mode;
    }

    DeltaColumn of(StructField field) {
      List<DeltaColumn> parts =
          DeltaTypes.field(field).type() instanceof DataType.Unsupported
              ? List.of()
              : fields(field.getDataType()).stream().map(this::of).toList();
      boolean isMapped = field.getMetadata().contains(ColumnMapping.COLUMN_MAPPING_ID_KEY);
      return new DeltaColumn(
          mode == ColumnMappingMode.NONE ? field.getName() : ColumnMapping.getPhysicalName(field),
          new TableField(
              mode == ColumnMappingMode.ID && isMapped
                  ? ColumnMapping.getColumnId(field)
                  : --count, // below all ids of a log
              DeltaTypes.field(field),
              parts.stream().map(DeltaColumn::table).toList(),
              Optional.empty()),
          parts);
    }

    private static List<StructField> fields(io.delta.kernel.types.DataType type) {
      return switch (type) {
        case StructType struct -> struct.fields();
        case ArrayType array -> List.of(array.getElementField());
        case MapType map -> List.of(map.getKeyField(), map.getValueField());
        default -> List.of();
      };
    }
  }

  /// Returns the columns of a table.
  static List<DeltaColumn> of(StructType schema, ColumnMappingMode mode) {
    Maker maker = new Maker(mode);
    return schema.fields().stream().map(maker::of).toList();
  }

  /// Returns what identifies the columns of data files: the ids in the files, else their names.
  static FieldIds ids(List<DeltaColumn> columns, ColumnMappingMode mode) {
    return mode == ColumnMappingMode.ID
        ? FileMetadata::fieldIds
        : metadata -> named(metadata.schema().fields(), columns, false);
  }

  private static List<FieldId> named(
      List<Field> stored, List<DeltaColumn> columns, boolean inOrder) {
    List<FieldId> ids = new ArrayList<>();
    for (int i = 0; i < stored.size(); i++) {
      Field field = stored.get(i);
      DeltaColumn column =
          inOrder ? i < columns.size() ? columns.get(i) : null : find(columns, field.name());
      ids.add(
          new FieldId(
              column == null ? OptionalInt.empty() : OptionalInt.of(column.table.id()),
              named(
                  StoredField.parts(field.type()),
                  column == null ? List.of() : column.parts,
                  !(field.type() instanceof DataType.Struct))));
    }
    return ids;
  }

  private static @Nullable DeltaColumn find(List<DeltaColumn> columns, String storedName) {
    return columns.stream()
        .filter(column -> column.storedName.equals(storedName))
        .findFirst()
        .orElse(null);
  }

  /// Returns how the log calls a column, or a part of a struct.
  ///
  /// @param path its name, or its path as [dev.penstock.schema.Schema#find] takes it
  /// @return the names from the column to the part; empty if there is none
  static List<String> storedPath(List<DeltaColumn> columns, String path) {
    for (DeltaColumn column : columns) {
      if (column.table.field().name().equals(path)) {
        return List.of(column.storedName);
      }
    }
    for (DeltaColumn column : columns) {
      String start = column.table.field().name() + ".";
      if (column.table.field().type() instanceof DataType.Struct && path.startsWith(start)) {
        List<String> rest = storedPath(column.parts, path.substring(start.length()));
        if (!rest.isEmpty()) {
          List<String> all = new ArrayList<>(List.of(column.storedName));
          all.addAll(rest);
          return all;
        }
      }
    }
    return List.of();
  }
}
