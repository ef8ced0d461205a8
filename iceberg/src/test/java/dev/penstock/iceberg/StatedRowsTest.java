package dev.penstock.iceberg;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.StructuredDataset;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Metadata's word on how many rows a file has is held against the file.
class StatedRowsTest {
  @TempDir Path folder;

  private Table table() {
    return WrittenTable.create(
            folder, CountingTable.SCHEMA, CountingTable.BY_CAT, 2, FileFormat.PARQUET)
        .table();
  }

  private StructuredDataset dataset() {
    return IcebergDataset.metadata(folder.resolve("table").toString()).dataset();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 4, 6, Long.MAX_VALUE})
  void fileWithAnotherNumberOfRowsIsAnError(long rows) throws IOException {
    Table table = table();
    DataFile file = CountingTable.write(table, 0, 15).getFirst();
    table
        .newAppend()
        .appendFile(DataFiles.builder(table.spec()).copy(file).withRecordCount(rows).build())
        .commit();
    assertThatThrownBy(() -> dataset().files())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageMatching(
            "Cannot read the file: it has 5 rows but the table states "
                + rows
                + "\\. Restore the file, or read an older version of the table\\. \\[.*\\.parquet]");
  }
}
