package dev.penstock.iceberg;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.avro.Avro;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.avro.DataWriter;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.types.Types;

/// A table of one column `id` in Avro files, which `iceberg-core` writes alone: for tests of
/// modules that have no other writer.
public final class AvroTable {
  private static final Schema SCHEMA =
      new Schema(Types.NestedField.required(1, "id", Types.LongType.get()));

  private final Table table;

  /// Makes a table without rows.
  ///
  /// @param folder where its files go
  public AvroTable(Path folder) {
    Catalog catalog = TestCatalogs.inMemory(folder);
    this.table = catalog.createTable(TableIdentifier.of("db", "t"), SCHEMA);
  }

  /// Appends a file.
  ///
  /// @param from the first id
  /// @param to the one behind the last
  public void append(long from, long to) {
    OutputFile file = table.io().newOutputFile(table.location() + "/data/" + from + ".avro");
    try {
      org.apache.iceberg.io.DataWriter<Record> writer =
          Avro.writeData(file)
              .schema(SCHEMA)
              .createWriterFunc(DataWriter::create)
              .withSpec(PartitionSpec.unpartitioned())
              .build();
      try (writer) {
        LongStream.range(from, to).forEach(id -> writer.write(row(id)));
      }
      table.newAppend().appendFile(writer.toDataFile()).commit();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Record row(long id) {
    GenericRecord row = GenericRecord.create(SCHEMA);
    row.setField("id", id);
    return row;
  }

  /// Returns where its metadata is now.
  ///
  /// @return the metadata file
  public String metadataFile() {
    return ((BaseTable) table).operations().refresh().metadataFileLocation();
  }

  /// Returns where the table is.
  ///
  /// @return its folder
  public String location() {
    return table.location();
  }

  /// Reads the ids of a table, ascending.
  ///
  /// @param dataset the table
  /// @return the ids
  public static List<Long> ids(IcebergDataset dataset) {
    return CountingTable.ids(dataset.dataset()).stream().sorted().toList();
  }
}
