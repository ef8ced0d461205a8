package dev.penstock.iceberg.glue;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.iceberg.CatalogContract;
import dev.penstock.iceberg.IcebergDataset;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Tables that Glue knows.
class GlueCatalogTest extends CatalogContract {
  private final FakeGlue glue;

  GlueCatalogTest() throws IOException {
    glue = new FakeGlue();
  }

  @BeforeEach
  void credentials() {
    System.setProperty("aws.accessKeyId", FakeGlue.KEY);
    System.setProperty("aws.secretAccessKey", "hush-secret");
  }

  @AfterEach
  void stop() {
    glue.close();
    System.clearProperty("aws.accessKeyId");
    System.clearProperty("aws.secretAccessKey");
  }

  @Override
  protected void put(String name, Map<String, String> parameters) {
    glue.put(name, parameters);
  }

  @Override
  protected IcebergDataset open(String name) {
    return IcebergDataset.table(
        name, Map.of("type", "glue", "glue.endpoint", glue.uri(), "client.region", "eu-west-1"));
  }

  @Override
  protected Iterable<String> calls() {
    return glue.requests();
  }

  @Override
  protected String callForTable() {
    return "AWSGlue.GetTable";
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
