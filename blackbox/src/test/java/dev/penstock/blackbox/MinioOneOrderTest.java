package dev.penstock.blackbox;

import dev.penstock.testing.SeedsAtMost;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

@EnabledIfSystemProperty(
    named = "penstock.stores",
    matches = "true",
    disabledReason = "takes a minute: ./mvnw verify -Pstores runs it")
@SeedsAtMost(1)
class MinioOneOrderTest extends OneOrderContract {
  @TempDir private static Path buckets;
  private static Stores.Minio store;

  @BeforeAll
  static void start() throws IOException {
    store = new Stores.Minio(buckets);
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
