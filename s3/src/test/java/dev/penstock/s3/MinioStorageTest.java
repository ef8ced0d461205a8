package dev.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.testing.StoreServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Against MinIO.
@Tag("night")
class MinioStorageTest extends S3Contract {
  @TempDir static Path folder;

  @Override
  protected StoreServer start() throws IOException {
    return new MinioServer(Files.createTempDirectory(folder, "minio"));
  }

  @Override
  protected StorageOptions options(int port) {
    return MinioServer.options(port);
  }

  @Test
  void bucketIsFollowedToItsRegion() throws IOException {
    StorageOptions elsewhere = options().with("region", "us-east-2");
    assertThat(store(elsewhere).stat(at("lake/a/data.bin"))).isPresent();
  }

  @Test
  void privateFilesNeedCredentials() {
    assertSays(
        StorageOptions.NONE
            .with("endpoint", "http://127.0.0.1:" + server().port())
            .with("anonymous", "true"),
        "lake/a/data.bin",
        "access is denied (403 AccessDenied). Check the credentials");
  }
}
