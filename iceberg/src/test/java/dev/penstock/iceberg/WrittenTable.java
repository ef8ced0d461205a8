package dev.penstock.iceberg;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ObjIntConsumer;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.encryption.EncryptedOutputFile;
import org.apache.iceberg.io.FanoutDataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/// A table in a folder, written by Iceberg's own writers.
final class WrittenTable {
  private final Table table;
  private FileFormat format;
  private long files;

  private WrittenTable(Table table, FileFormat format) {
    this.table = table;
    this.format = format;
  }

  static WrittenTable create(
      Path folder, Schema schema, PartitionSpec spec, int version, FileFormat format) {
    Map<String, String> properties = new HashMap<>();
    properties.put(TableProperties.FORMAT_VERSION, String.valueOf(version));
    properties.put(TableProperties.PARQUET_ROW_GROUP_SIZE_BYTES, "20000");
    properties.put(TableProperties.PARQUET_ROW_GROUP_CHECK_MIN_RECORD_COUNT, "100");
    properties.put(TableProperties.PARQUET_ROW_GROUP_CHECK_MAX_RECORD_COUNT, "200");
    properties.put(TableProperties.PARQUET_PAGE_SIZE_BYTES, "4000");
    properties.put(TableProperties.ORC_STRIPE_SIZE_BYTES, "20000");
    properties.put(TableProperties.PARQUET_COMPRESSION, "uncompressed");
    return create(folder, schema, spec, properties, format);
  }

  private static WrittenTable create(
      Path folder,
      Schema schema,
      PartitionSpec spec,
      Map<String, String> properties,
      FileFormat format) {
    Table table =
        LocalTables.open().create(schema, spec, properties, folder.resolve("table").toString());
    return new WrittenTable(table, format);
  }

  Table table() {
    return table;
  }

  /// Writes further files in another format.
  void format(FileFormat next) {
    format = next;
  }

  /// Makes rows.
  ///
  /// @param fill sets the fields of the row of a number
  static List<Record> rows(Schema schema, int count, ObjIntConsumer<Record> fill) {
    List<Record> rows = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      rows.add(GenericRecord.create(schema));
      fill.accept(rows.getLast(), n);
    }
    return rows;
  }

  /// Writes rows to files; those with a field `_row_id` store it, as compaction does.
  List<DataFile> append(List<? extends Record> rows) throws IOException {
    List<DataFile> written = write(rows);
    AppendFiles append = table.newAppend();
    written.forEach(append::appendFile);
    append.commit();
    return written;
  }

  private OutputFileFactory outputs(FileFormat of) {
    return OutputFileFactory.builderFor(table, 1, ++files).format(of).build();
  }

  static Schema withRowIds(Schema schema) {
    return TypeUtil.join(schema, new Schema(MetadataColumns.ROW_ID));
  }

  private List<DataFile> write(List<? extends Record> rows) throws IOException {
    GenericFileWriterFactory writers =
        new GenericFileWriterFactory.Builder(table)
            .dataFileFormat(format)
            .dataSchema(
                rows.getFirst().struct().field(MetadataColumns.ROW_ID.name()) == null
                    ? table.schema()
                    : withRowIds(table.schema()))
            .build();
    FanoutDataWriter<Record> writer =
        new FanoutDataWriter<>(writers, outputs(format), table.io(), 512L << 20);
    PartitionSpec spec = table.spec();
    PartitionKey key = new PartitionKey(spec, table.schema());
    InternalRecordWrapper wrapper = new InternalRecordWrapper(table.schema().asStruct());
    try (writer) {
      for (Record row : rows) {
        key.partition(wrapper.wrap(row));
        writer.write(row, spec, spec.isUnpartitioned() ? null : key.copy());
      }
    }
    return writer.result().dataFiles();
  }

  /// Deletes rows by their values in some columns: in a partition, or everywhere.
  DeleteFile deleteEqual(
      Schema columns, List<? extends Record> rows, @Nullable StructLike partition)
      throws IOException {
    DeleteFile written = writeEqual(columns, rows, partition);
    table.newRowDelta().addDeletes(written).commit();
    return written;
  }

  /// Replaces rows: those with the keys of others go, and the others come, at once.
  void upsert(Schema columns, List<? extends Record> keys, List<? extends Record> rows)
      throws IOException {
    RowDelta delta = table.newRowDelta().addDeletes(writeEqual(columns, keys, null));
    write(rows).forEach(delta::addRows);
    delta.commit();
  }

  private DeleteFile writeEqual(
      Schema columns, List<? extends Record> rows, @Nullable StructLike partition)
      throws IOException {
    int[] ids =
        TypeUtil.indexById(columns.asStruct()).values().stream()
            .filter(field -> field.type().isPrimitiveType())
            .mapToInt(Types.NestedField::fieldId)
            .toArray();
    GenericFileWriterFactory writers =
        new GenericFileWriterFactory.Builder(table)
            .deleteFileFormat(format)
            .equalityFieldIds(ids)
            .equalityDeleteRowSchema(columns)
            .build();
    PartitionSpec spec = partition == null ? PartitionSpec.unpartitioned() : table.spec();
    OutputFileFactory outputs = outputs(format);
    EncryptedOutputFile output =
        partition == null ? outputs.newOutputFile() : outputs.newOutputFile(spec, partition);
    EqualityDeleteWriter<Record> writer = writers.newEqualityDeleteWriter(output, spec, partition);
    try (writer) {
      rows.forEach(writer::write);
    }
    return writer.toDeleteFile();
  }

  /// Deletes rows by their numbers, of several files in one delete file.
  DeleteFile deletePositions(Map<DataFile, long[]> rows) throws IOException {
    GenericFileWriterFactory writers =
        new GenericFileWriterFactory.Builder(table).deleteFileFormat(format).build();
    DataFile any = rows.keySet().iterator().next();
    PartitionSpec spec = Objects.requireNonNull(table.specs().get(any.specId()));
    EncryptedOutputFile output =
        spec.isUnpartitioned()
            ? outputs(format).newOutputFile()
            : outputs(format).newOutputFile(spec, any.partition());
    PositionDeleteWriter<Record> writer =
        writers.newPositionDeleteWriter(
            output, spec, spec.isUnpartitioned() ? null : any.partition());
    PositionDelete<Record> delete = PositionDelete.create();
    try (writer) {
      for (DataFile file :
          rows.keySet().stream()
              .sorted(java.util.Comparator.comparing(DataFile::location))
              .toList()) {
        for (long row : rows.getOrDefault(file, new long[0])) {
          writer.write(delete.set(file.location(), row));
        }
      }
    }
    table.newRowDelta().addDeletes(writer.toDeleteFile()).commit();
    return writer.toDeleteFile();
  }

  /// Deletes rows of files by deletion vectors, all in one file.
  @SuppressWarnings("NullAway") // there are no deletes before
  List<DeleteFile> deleteByVectors(Map<DataFile, long[]> rows) throws IOException {
    BaseDVFileWriter writer = new BaseDVFileWriter(outputs(FileFormat.PUFFIN), _ -> null);
    try (writer) {
      rows.forEach((file, numbers) -> {
        for (long row : numbers) {
          writer.delete(file.location(), row, table.specs().get(file.specId()), file.partition());
        }
      });
    }
    RowDelta delta = table.newRowDelta();
    List<DeleteFile> written = new ArrayList<>(writer.result().deleteFiles());
    written.forEach(delta::addDeletes);
    delta.commit();
    return written;
  }
}
