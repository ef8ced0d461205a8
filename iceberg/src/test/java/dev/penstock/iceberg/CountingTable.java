package dev.penstock.iceberg;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.FanoutDataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.Types;

/// Tables whose rows are counted by their column `id`: row n has `cat` "c0" to "c2" and `n` 10 n.
final class CountingTable {
  static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "cat", Types.StringType.get()),
          Types.NestedField.optional(3, "n", Types.IntegerType.get()));

  static final PartitionSpec BY_CAT = PartitionSpec.builderFor(SCHEMA).identity("cat").build();

  private CountingTable() {}

  static Table create(Catalog catalog, String name, PartitionSpec spec, int version) {
    return catalog.createTable(
        TableIdentifier.parse(name),
        SCHEMA,
        spec,
        Map.of(
            "format-version", String.valueOf(version),
            "write.parquet.row-group-size-bytes", "2000",
            "write.parquet.row-group-check-min-record-count", "50",
            "write.parquet.row-group-check-max-record-count", "50"));
  }

  /// Appends rows, a file for each partition.
  static void append(Table table, long from, long to) throws IOException {
    AppendFiles append = table.newAppend();
    write(table, from, to).forEach(append::appendFile);
    append.commit();
  }

  static List<DataFile> write(Table table, long from, long to) throws IOException {
    return write(
        table, LongStream.range(from, to).mapToObj(id -> row(table.schema(), id)).toList());
  }

  static List<DataFile> write(Table table, List<? extends Record> rows) throws IOException {
    GenericFileWriterFactory writers =
        new GenericFileWriterFactory.Builder(table)
            .dataFileFormat(FileFormat.PARQUET)
            .dataSchema(table.schema())
            .build();
    OutputFileFactory files =
        OutputFileFactory.builderFor(table, 0, (long) rows.getFirst().getField("id"))
            .format(FileFormat.PARQUET)
            .build();
    PartitionKey key = new PartitionKey(table.spec(), table.schema());
    InternalRecordWrapper internal = new InternalRecordWrapper(table.schema().asStruct());
    FanoutDataWriter<Record> writer =
        new FanoutDataWriter<>(writers, files, table.io(), Long.MAX_VALUE);
    try (writer) {
      for (Record row : rows) {
        key.partition(internal.wrap(row));
        writer.write(row, table.spec(), table.spec().isUnpartitioned() ? null : key.copy());
      }
    }
    return writer.result().dataFiles();
  }

  static Record row(Schema schema, long id) {
    GenericRecord row = GenericRecord.create(schema);
    row.setField("id", id);
    row.setField("cat", "c" + id % 3);
    row.setField("n", (int) (10 * id));
    return row;
  }

  /// Reads the column `id` of all rows, as they come.
  static List<Long> ids(StructuredDataset dataset) {
    try (DataLoader loader = loader(dataset, 1000);
        EpochIterator<Batch> batches = loader.iterator()) {
      return ids(batches, Integer.MAX_VALUE);
    }
  }

  static DataLoader loader(StructuredDataset dataset, int batchSize) {
    return DataLoader.of(
        dataset.columns("id"), o -> o.batchSize(batchSize).workers(1).output(OutputFormat.ARRAY));
  }

  static List<Long> ids(EpochIterator<Batch> batches, int most) {
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < most && batches.hasNext(); i++) {
      try (Batch batch = batches.next()) {
        LongStream.of(batch.array("id", long[].class)).forEach(ids::add);
      }
    }
    return ids;
  }

  static List<Long> range(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }
}
