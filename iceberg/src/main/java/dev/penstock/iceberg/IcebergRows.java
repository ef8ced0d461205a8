package dev.penstock.iceberg;

import dev.penstock.iceberg.internal.deletes.TableDeletes;
import dev.penstock.iceberg.internal.fields.FileIds;
import dev.penstock.iceberg.internal.fields.IcebergTypes;
import dev.penstock.iceberg.internal.fields.Lineage;
import dev.penstock.iceberg.internal.fields.StoredFormat;
import dev.penstock.iceberg.internal.files.ReadFiles;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import dev.penstock.spi.catalog.CatalogFile;
import dev.penstock.spi.fields.CountedColumn;
import dev.penstock.spi.fields.MatchedFormat;
import dev.penstock.spi.fields.TableField;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.PartitionUtil;

/// Defines the rows of a table's files: their columns by field id, columns with one value per file,
/// and which rows are deleted.
///
/// Holds the table's delete files, once for all readers of the table.
///
/// **Threads.** Any number at once.
final class IcebergRows {
  /// The metadata columns that can be read.
  static final List<String> METADATA_COLUMNS =
      List.of(
          MetadataColumns.FILE_PATH.name(),
          MetadataColumns.ROW_POSITION.name(),
          MetadataColumns.SPEC_ID.name(),
          MetadataColumns.ROW_ID.name(),
          MetadataColumns.LAST_UPDATED_SEQUENCE_NUMBER.name());

  private final org.apache.iceberg.Schema schema;
  private final List<TableField> columns;
  private final List<String> metadataColumns;
  private final FileIds ids;
  private final TableDeletes deletes;

  private IcebergRows(
      Table table,
      org.apache.iceberg.Schema schema,
      List<String> metadataColumns,
      ReadFiles files) {
    this.schema = schema;
    this.columns = IcebergTypes.fields(schema.columns());
    this.metadataColumns = List.copyOf(metadataColumns);
    String mapping = table.properties().get(TableProperties.DEFAULT_NAME_MAPPING);
    this.ids = FileIds.of(schema, mapping == null ? null : NameMappingParser.fromJson(mapping));
    this.deletes = new TableDeletes(table, schema, files, ids);
  }

  /// Makes the rows of a table.
  ///
  /// @throws IllegalArgumentException if there is no such metadata column
  static IcebergRows of(
      Table table,
      org.apache.iceberg.Schema schema,
      List<String> metadataColumns,
      ReadFiles files) {
    for (String name : metadataColumns) {
      if (!METADATA_COLUMNS.contains(name)) {
        throw new IllegalArgumentException(
            "Cannot read metadata column '%s': those that can be read are %s."
                .formatted(name, METADATA_COLUMNS));
      }
      if (schema.findField(name) != null) {
        throw new IllegalArgumentException(
            "Cannot read metadata column '" + name + "': the table has a column of that name.");
      }
    }
    return new IcebergRows(table, schema, metadataColumns, files);
  }

  /// Returns the columns: those of the table, then the metadata columns.
  Schema schema() {
    List<Field> fields = new ArrayList<>();
    schema.columns().forEach(column -> fields.add(IcebergTypes.field(column)));
    metadataColumns.forEach(name -> fields.add(metadataField(name)));
    return Schema.of(fields);
  }

  private static Field metadataField(String name) {
    if (name.equals(MetadataColumns.FILE_PATH.name())) {
      return new Field(name, new DataType.Utf8(), false);
    }
    if (name.equals(MetadataColumns.SPEC_ID.name())) {
      return new Field(name, new DataType.Int(32, true), false);
    }
    for (Lineage column : Lineage.values()) {
      if (column.field().name().equals(name)) {
        return column.field();
      }
    }
    throw new IllegalArgumentException(name);
  }

  /// Returns the values of columns that a file lacks: nulls, or the column's initial default.
  MissingColumns missingColumns() {
    MissingColumns missing = MissingColumns.nulls();
    for (Types.NestedField column : schema.columns()) {
      Object value = column.initialDefault();
      if (value != null && column.type().isPrimitiveType()) {
        missing = missing.withDefault(column.name(), IcebergTypes.object(column.type(), value));
      }
    }
    return missing;
  }

  /// Returns a data file in core's form.
  ///
  /// @throws IllegalArgumentException if it is encrypted, its format cannot be read, or a delete
  ///   file contradicts the table
  CatalogFile file(
      FileScanTask task, IcebergDataFileInfo details, FileEntry entry, Storage storage) {
    requireReadable(task.file());
    task.deletes().forEach(IcebergRows::requireReadable);
    FileFormat stored = StoredFormat.of(task.file());
    Map<Integer, Object> constants = new HashMap<>();
    PartitionUtil.constantsMap(task).forEach(constants::put);
    return new CatalogFile(
        entry,
        storage,
        format(stored, task.file()),
        values(task, constants),
        Optional.of(details),
        deletes.of(task, stored, constants),
        OptionalLong.of(task.file().recordCount()));
  }

  private MatchedFormat format(FileFormat stored, DataFile file) {
    MatchedFormat format =
        new MatchedFormat(stored, columns, ids.in(stored), counted(file), (_, _) -> {});
    return file.firstRowId() == null ? format : format.rowIds(Lineage.ROW_ID.of(file));
  }

  private static void requireReadable(ContentFile<?> file) {
    if (file.keyMetadata() != null) {
      throw new IllegalArgumentException(
          ("Cannot read %s: it is encrypted, and encrypted tables cannot be read. Write"
                  + " the table without encryption.")
              .formatted(file.location()));
    }
  }

  private List<CountedColumn> counted(ContentFile<?> file) {
    return Arrays.stream(Lineage.values())
        .filter(column -> metadataColumns.contains(column.field().name()))
        .map(column -> column.of(file))
        .toList();
  }

  /// Returns the values that all rows of a file share: those of identity partitions and metadata
  /// columns.
  private Map<String, Optional<Object>> values(FileScanTask task, Map<Integer, Object> constants) {
    Map<String, Optional<Object>> values = new HashMap<>();
    for (Types.NestedField column : schema.columns()) {
      if (constants.containsKey(column.fieldId()) && column.type().isPrimitiveType()) {
        Object value = constants.get(column.fieldId());
        values.put(
            column.name(),
            Optional.ofNullable(value).map(known -> IcebergTypes.object(column.type(), known)));
      }
    }
    for (String name : metadataColumns) {
      if (name.equals(MetadataColumns.FILE_PATH.name())) {
        values.put(name, Optional.of(task.file().location()));
      } else if (name.equals(MetadataColumns.SPEC_ID.name())) {
        values.put(name, Optional.of(task.file().specId()));
      }
    }
    return values;
  }
}
