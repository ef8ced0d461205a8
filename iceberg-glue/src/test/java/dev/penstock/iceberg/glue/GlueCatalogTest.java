package dev.penstock.iceberg.glue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.iceberg.AvroTable;
import dev.penstock.iceberg.IcebergDataset;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tables that Glue knows.
class GlueCatalogTest {
  @TempDir Path folder;
  private AvroTable table;
  private FakeGlue glue;

  @BeforeEach
  void start() throws IOException {
    System.setProperty("aws.accessKeyId", FakeGlue.KEY);
    System.setProperty("aws.secretAccessKey", "hush-secret");
    table = new AvroTable(folder);
    table.append(0, 100);
    glue = new FakeGlue();
    commit();
  }

  @AfterEach
  void stop() {
    glue.close();
    System.clearProperty("aws.accessKeyId");
    System.clearProperty("aws.secretAccessKey");
  }

  private void commit() {
    glue.put("t", Map.of("table_type", "ICEBERG", "metadata_location", table.metadataFile()));
  }

  private IcebergDataset open(String name) {
    return IcebergDataset.table(
        name, Map.of("type", "glue", "glue.endpoint", glue.uri(), "client.region", "eu-west-1"));
  }

  private static Iterable<Long> range(long to) {
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
    assertThat(glue.requests()).containsOnly("AWSGlue.GetTable");
  }

  @Test
  void missingTablesAndTablesOfOtherKindsAreErrors() {
    for (String name : new String[] {"db.none", "other.t"}) {
      assertThatThrownBy(() -> open(name).dataset())
          .isInstanceOf(UncheckedIOException.class)
          .hasMessage(
              "Cannot read table '" + name + "': the catalog has no such table. Check the name.");
    }
    glue.put("hive", Map.of("EXTERNAL", "TRUE"));
    assertThatThrownBy(() -> open("db.hive").dataset())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageStartingWith("Cannot read table 'db.hive': ");
  }

  @Test
  void wrongCredentialsAreAnErrorWithoutSecrets() {
    System.setProperty("aws.accessKeyId", "AKIDNOBODY");
    assertThatThrownBy(() -> open("db.t").dataset())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageStartingWith("Cannot read table 'db.t': ")
        .hasMessageContaining("The security token included in the request is invalid.")
        .hasMessageNotContaining("hush-secret");
  }

  @Test
  void serviceThatIsNotThereIsAnError() {
    glue.close();
    assertThatThrownBy(() -> open("db.t").dataset())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageStartingWith("Cannot read table 'db.t': ")
        .hasMessageContaining("Connection refused")
        .hasMessageContaining(glue.uri().substring("http://".length()));
  }
}
