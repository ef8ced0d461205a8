package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(
    named = "penstock.stores",
    matches = "true",
    disabledReason = "takes a minute: ./mvnw verify -Pstores runs it")
@SeedsAtMost(3)
class S3OneOrderTest extends OneOrderContract {
  private static Stores.S3 store;

  @BeforeAll
  static void start() {
    store = new Stores.S3();
  }

  @AfterAll
  static void stop() {
    store.close();
  }

  @Override
  TableWriter writer() {
    return new StoredFiles(new ParquetFiles(), store::dataset);
  }
}
