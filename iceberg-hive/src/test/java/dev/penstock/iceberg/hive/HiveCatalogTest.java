package dev.penstock.iceberg.hive;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.iceberg.CatalogContract;
import dev.penstock.iceberg.IcebergDataset;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.thrift.transport.TTransportException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tables that a Hive metastore knows.
class HiveCatalogTest extends CatalogContract {
  private final FakeMetastore metastore;

  HiveCatalogTest() throws TTransportException {
    metastore = new FakeMetastore();
  }

  @AfterEach
  void stop() {
    metastore.close();
  }

  @Override
  protected void put(String name, Map<String, String> parameters) {
    metastore.put(name, parameters);
  }

  @Override
  protected IcebergDataset open(String name) {
    return IcebergDataset.table(name, Map.of("type", "hive", "uri", metastore.uri()));
  }

  @Override
  protected Iterable<String> calls() {
    return metastore.calls();
  }

  @Override
  protected String callForTable() {
    return "get_table";
  }

  @Test
  void metastoreThatIsNotThereIsAnError() {
    metastore.close();
    assertThatThrownBy(() -> open("db.t").dataset())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageStartingWith("Cannot read table 'db.t': Failed to ")
        .hasMessageContaining("Connection refused"); // the client's words differ with its pool
  }
}
