package dev.penstock.iceberg.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.iceberg.AvroTable;
import dev.penstock.iceberg.IcebergDataset;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.thrift.transport.TTransportException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tables that a Hive metastore knows.
class HiveCatalogTest {
  @TempDir Path folder;
  private AvroTable table;
  private FakeMetastore metastore;

  @BeforeEach
  void start() throws TTransportException {
    table = new AvroTable(folder);
    table.append(0, 100);
    metastore = new FakeMetastore();
    commit();
  }

  @AfterEach
  void stop() {
    metastore.close();
  }

  private void commit() {
    metastore.put("t", Map.of("table_type", "ICEBERG", "metadata_location", table.metadataFile()));
  }

  private IcebergDataset open(String name) {
    return IcebergDataset.table(name, Map.of("type", "hive", "uri", metastore.uri()));
  }

  private static List<Long> range(long to) {
    return LongStream.range(0, to).boxed().toList();
  }

  @Test
  void tableIsReadByItsName() {
    IcebergDataset before = open("db.t");
    assertThat(AvroTable.ids(before)).isEqualTo(range(100));
    table.append(100, 150);
    commit();
    assertThat(AvroTable.ids(before)).isEqualTo(range(100));
    assertThat(AvroTable.ids(open("db.t"))).isEqualTo(range(150));
    assertThat(metastore.calls()).contains("get_table");
  }

  @Test
  void missingTablesAndTablesOfOtherKindsAreErrors() {
    for (String name : new String[] {"db.none", "other.t"}) {
      assertThatThrownBy(() -> open(name).dataset())
          .isInstanceOf(UncheckedIOException.class)
          .hasMessage(
              "Cannot read table '" + name + "': the catalog has no such table. Check the name.");
    }
    metastore.put("text", Map.of("EXTERNAL", "TRUE"));
    assertThatThrownBy(() -> open("db.text").dataset())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageStartingWith("Cannot read table 'db.text': ");
  }

  @Test
  void metastoreThatIsNotThereIsAnError() {
    metastore.close();
    assertThatThrownBy(() -> open("db.t").dataset())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageMatching(
            "Cannot read table 'db.t': Failed to connect to Hive Metastore \\(.*Connection refused"
                + ".*\\)");
  }
}
