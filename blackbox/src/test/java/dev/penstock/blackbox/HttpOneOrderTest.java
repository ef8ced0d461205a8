package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(
    named = "penstock.stores",
    matches = "true",
    disabledReason = "takes a minute: ./mvnw verify -Pstores runs it")
@SeedsAtMost(3)
class HttpOneOrderTest extends OneOrderContract {
  private final Stores.Http store = new Stores.Http();

  @Override
  TableWriter writer() {
    return new StoredFiles(new ParquetFiles(), store::dataset);
  }

  @AfterEach
  void stop() {
    store.close();
  }
}
