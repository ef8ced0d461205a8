package dev.penstock.benchmarks.tables;

import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/// Writes Iceberg tables: `plain` of 14 columns; `deleted` of the same files, with 5 % of the rows
/// deleted by position and 1 % by value; and `many` of 5,000 small files.
public final class Generate {
  private static final int FILES = 4;
  private static final int FILE_ROWS = 400_000;
  private static final int MANY_FILES = 5_000;
  private static final int MANY_ROWS = 50;
  private static final int COMMIT_FILES = 250;

  private final Table table;
  private int files;

  private Generate(Path folder, Schema schema) {
    this.table =
        new HadoopTables(new Configuration())
            .create(
                schema,
                PartitionSpec.unpartitioned(),
                Map.of("format-version", "2"),
                folder.toString());
  }

  /// Writes the tables.
  ///
  /// @param args the folder where they go
  /// @throws IOException if they cannot be written
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    Random random = new Random(1);
    List<DataFile> files = new ArrayList<>();
    Generate plain = new Generate(folder.resolve("plain"), schema());
    for (int file = 0; file < FILES; file++) {
      files.add(plain.write((long) file * FILE_ROWS, FILE_ROWS, random));
    }
    plain.append(files);
    Generate deleted = new Generate(folder.resolve("deleted"), schema());
    deleted.append(files);
    deleted.deletePositions(files, random);
    deleted.deleteIds(random);
    Generate many = new Generate(folder.resolve("many"), schema());
    for (int commit = 0; commit < MANY_FILES / COMMIT_FILES; commit++) {
      List<DataFile> added = new ArrayList<>();
      for (int file = 0; file < COMMIT_FILES; file++) {
        long number = (long) commit * COMMIT_FILES + file;
        added.add(many.write(number * MANY_ROWS, MANY_ROWS, random));
      }
      many.append(added);
    }
  }

  private static Schema schema() {
    List<Types.NestedField> columns = new ArrayList<>();
    columns.add(required(1, "id", Types.LongType.get()));
    for (int i = 0; i < 8; i++) {
      columns.add(optional(2 + i, "f" + i, Types.FloatType.get()));
    }
    for (int i = 0; i < 4; i++) {
      columns.add(optional(10 + i, "n" + i, Types.DoubleType.get()));
    }
    columns.add(optional(14, "text", Types.StringType.get()));
    return new Schema(columns);
  }

  private OutputFileFactory outputs() {
    return OutputFileFactory.builderFor(table, 1, ++files).format(FileFormat.PARQUET).build();
  }

  private DataFile write(long firstId, int rows, Random random) throws IOException {
    GenericFileWriterFactory writers =
        new GenericFileWriterFactory.Builder(table)
            .dataFileFormat(FileFormat.PARQUET)
            .dataSchema(table.schema())
            .build();
    DataWriter<Record> writer =
        writers.newDataWriter(outputs().newOutputFile(), table.spec(), null);
    try (writer) {
      for (int row = 0; row < rows; row++) {
        writer.write(row(firstId + row, random));
      }
    }
    return writer.toDataFile();
  }

  /// Columns `f` have no nulls, in columns `n` each tenth is one.
  private Record row(long id, Random random) {
    GenericRecord row = GenericRecord.create(table.schema());
    row.setField("id", id);
    for (int i = 0; i < 8; i++) {
      row.setField("f" + i, random.nextFloat());
    }
    for (int i = 0; i < 4; i++) {
      @Nullable Object value = random.nextInt(10) == 0 ? null : (Object) random.nextDouble();
      row.setField("n" + i, value);
    }
    row.setField("text", "text" + random.nextInt(500));
    return row;
  }

  private void append(List<DataFile> added) {
    AppendFiles append = table.newAppend();
    added.forEach(append::appendFile);
    append.commit();
  }

  private void deletePositions(List<DataFile> of, Random random) throws IOException {
    PositionDeleteWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .deleteFileFormat(FileFormat.PARQUET)
            .build()
            .newPositionDeleteWriter(outputs().newOutputFile(), table.spec(), null);
    PositionDelete<Record> delete = PositionDelete.create();
    try (writer) {
      for (DataFile file :
          of.stream().sorted(java.util.Comparator.comparing(DataFile::location)).toList()) {
        for (long row = 0; row < file.recordCount(); row++) {
          if (random.nextInt(20) == 0) {
            writer.write(delete.set(file.location(), row));
          }
        }
      }
    }
    table.newRowDelta().addDeletes(writer.toDeleteFile()).commit();
  }

  private void deleteIds(Random random) throws IOException {
    Schema byId = table.schema().select("id");
    EqualityDeleteWriter<Record> writer =
        new GenericFileWriterFactory.Builder(table)
            .deleteFileFormat(FileFormat.PARQUET)
            .equalityFieldIds(
                TypeUtil.getProjectedIds(byId).stream().mapToInt(Integer::intValue).toArray())
            .equalityDeleteRowSchema(byId)
            .build()
            .newEqualityDeleteWriter(outputs().newOutputFile(), table.spec(), null);
    try (writer) {
      for (long id = 0; id < (long) FILES * FILE_ROWS; id++) {
        if (random.nextInt(100) == 0) {
          GenericRecord key = GenericRecord.create(byId);
          key.setField("id", id);
          writer.write(key);
        }
      }
    }
    table.newRowDelta().addDeletes(writer.toDeleteFile()).commit();
  }
}
