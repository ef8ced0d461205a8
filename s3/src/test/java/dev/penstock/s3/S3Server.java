package dev.penstock.s3;

import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.testing.ServerProcess;
import dev.penstock.testing.StoreServer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/// S3Proxy over a folder, in a process of its own, on the loopback interface: a folder in it is a
/// bucket.
public final class S3Server implements StoreServer {
  /// The access key that the server knows.
  public static final String ACCESS_KEY = "test-key";

  /// The secret of the access key.
  public static final String SECRET = "test-secret-9d2";

  private final ServerProcess process;
  private final int port;
  private final ObjectWriter objects;

  /// Starts a server and waits until it listens.
  ///
  /// @param folder where buckets are
  public S3Server(Path folder) throws IOException {
    port = ServerProcess.freePort();
    Path settings = Files.createTempDirectory("s3proxy");
    Path properties = settings.resolve("s3proxy.properties");
    Properties set = new Properties();
    set.setProperty("s3proxy.endpoint", "http://127.0.0.1:" + port);
    set.setProperty("s3proxy.authorization", "aws-v2-or-v4");
    set.setProperty("s3proxy.identity", ACCESS_KEY);
    set.setProperty("s3proxy.credential", SECRET);
    set.setProperty("s3proxy.ignore-unknown-headers", "true");
    set.setProperty("jclouds.provider", "filesystem-nio2");
    set.setProperty("jclouds.filesystem.basedir", folder.toString());
    try (OutputStream out = Files.newOutputStream(properties)) {
      set.store(out, null);
    }
    Path logging = settings.resolve("logback.xml");
    Files.writeString(
        logging,
        """
        <configuration>
          <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
            <encoder><pattern>%m%n</pattern></encoder>
          </appender>
          <root level="info"><appender-ref ref="out"/></root>
        </configuration>
        """);
    Path classPath = Path.of(System.getProperty("penstock.root"), "s3/server/target/classpath.txt");
    process =
        ServerProcess.start(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.configurationFile=" + logging,
                "-cp",
                Files.readString(classPath).strip(),
                "org.gaul.s3proxy.Main",
                "--properties",
                properties.toString()),
            Map.of(),
            line -> line.contains("Started ") && line.contains("127.0.0.1:" + port));
    objects = new ObjectWriter(options(port));
  }

  /// Returns what reads and writes everything.
  static StorageOptions options(int port) {
    return StorageOptions.NONE
        .with("endpoint", "http://127.0.0.1:" + port)
        .with("access-key-id", ACCESS_KEY)
        .with("secret-access-key", SECRET);
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
