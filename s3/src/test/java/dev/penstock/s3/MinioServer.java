package dev.penstock.s3;

import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.testing.Installed;
import dev.penstock.testing.ServerProcess;
import dev.penstock.testing.StoreServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// MinIO over a folder, in a process of its own, on the loopback interface. It says in which region
/// it is, and refuses requests that are signed for another one.
public final class MinioServer implements StoreServer {
  /// The access key that the server knows.
  public static final String ACCESS_KEY = "test-key";

  /// The secret of the access key.
  public static final String SECRET = "test-secret-9d2";

  /// Where the server is.
  public static final String REGION = "eu-west-1";

  private static final String MODULE = "github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c";

  private final ServerProcess process;
  private final int port;
  private final ObjectWriter objects;

  /// Starts a server and waits until it listens, or skips the test where there is none.
  ///
  /// @param folder where it keeps what it is given
  public MinioServer(Path folder) throws IOException {
    Path target = Path.of(System.getProperty("penstock.root"), "s3/target/minio");
    Path program = Installed.go("minio", MODULE, target);
    port = ServerProcess.freePort();
    process =
        ServerProcess.start(
            List.of(
                program.toString(),
                "server",
                folder.toString(),
                "--address",
                "127.0.0.1:" + port,
                "--console-address",
                "127.0.0.1:" + ServerProcess.freePort()),
            Map.of(
                "MINIO_ROOT_USER", ACCESS_KEY,
                "MINIO_ROOT_PASSWORD", SECRET,
                "MINIO_SITE_REGION", REGION,
                "MINIO_BROWSER", "off",
                "MINIO_UPDATE", "off"),
            line -> line.contains("API: ") && line.contains("127.0.0.1:" + port));
    objects = new ObjectWriter(options(port));
  }

  /// Returns what reads and writes everything.
  static StorageOptions options(int port) {
    return StorageOptions.NONE
        .with("endpoint", "http://127.0.0.1:" + port)
        .with("access-key-id", ACCESS_KEY)
        .with("secret-access-key", SECRET)
        .with("region", REGION);
  }

  @Override
  public int port() {
    return port;
  }

  /// Returns the address, for storage option `endpoint`.
  public String endpoint() {
    return "http://127.0.0.1:" + port;
  }

  @Override
  public void put(String bucket, String name, byte[] content) {
    objects.put(bucket, name, content);
  }

  @Override
  public void delete(String bucket, String name) {
    objects.delete(bucket, name);
  }

  @Override
  public void stop() {
    objects.close();
    process.close();
  }
}
