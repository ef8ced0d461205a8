package dev.penstock.iceberg.hive;

import dev.penstock.iceberg.IcebergDataset;
import java.nio.file.Path;
import java.util.Map;
import reads.IcebergTable;
import reads.ReadFile;

/// Finds a table by a Hive metastore, the one of the module's tests.
public final class ReadIcebergHive {
  private ReadIcebergHive() {}

  public static void main(String[] args) throws Exception {
    String metadata = IcebergTable.write(Path.of(args[0]), Long.parseLong(args[1]));
    try (FakeMetastore metastore = new FakeMetastore()) {
      metastore.put("t", Map.of("table_type", "ICEBERG", "metadata_location", metadata));
      IcebergDataset table =
          IcebergDataset.table("db.t", Map.of("type", "hive", "uri", metastore.uri()));
      System.out.println("hive: " + ReadFile.rows(table.dataset()) + " rows");
    }
  }
}
