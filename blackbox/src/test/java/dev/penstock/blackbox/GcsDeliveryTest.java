package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(
    named = "penstock.stores",
    matches = "true",
    disabledReason = "takes a minute: ./mvnw verify -Pstores runs it")
@SeedsAtMost(2)
class GcsDeliveryTest extends DeliveryContract {
  private static Stores.Gcs store;

  @BeforeAll
  static void start() throws IOException {
    store = new Stores.Gcs();
  }

  @AfterAll
  static void stop() {
    if (store != null) {
      store.close();
    }
  }

  @Override
  TableWriter writer() {
    return new StoredFiles(new ParquetFiles(), store::dataset);
  }
}
