package dev.penstock.gcs;

import dev.penstock.spi.storage.RemoteStorage;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.testing.StoreContract;
import dev.penstock.testing.StoreServer;
import java.io.IOException;
import org.junit.jupiter.api.Tag;

/// Against a server that does not look at credentials.
@Tag("outer")
class GcsStorageTest extends StoreContract {
  @Override
  protected StoreServer start() throws IOException {
    return new GcsServer();
  }

  @Override
  protected RemoteStorage storage() {
    return new GcsStorage();
  }

  @Override
  protected StorageOptions options(int port) {
    return StorageOptions.NONE
        .with("endpoint", "http://127.0.0.1:" + port)
        .with("bearer-token", secret());
  }

  @Override
  protected String changed() {
    return ". Make a new dataset to read the changed file.";
  }

  @Override
  protected String noBucket() {
    return "there is no bucket 'nobucket' (404";
  }

  @Override
  protected boolean hasEveryBucket() {
    return ((GcsServer) server()).isEmulator();
  }

  @Override
  protected String secret() {
    return "token-9d2";
  }
}
