package dev.penstock.blackbox.contract;

import dev.penstock.StructuredDataset;
import dev.penstock.azure.AzureServer;
import dev.penstock.blackbox.files.StoredFiles;
import dev.penstock.gcs.GcsServer;
import dev.penstock.s3.MinioServer;
import dev.penstock.s3.S3Server;
import dev.penstock.testing.MemoryStorage;
import dev.penstock.testing.RangeServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// Stores that a contract is run over: each gives a dataset that reads a local folder's files from
/// the store.
final class Stores {
  private Stores() {}

  static StoredFiles.Place memory(Path files) throws IOException {
    MemoryStorage.Site site = MemoryStorage.site().put(files);
    site.advice(3, 100, 700, Optional.empty()); // so that small files have several ranges, too
    return new StoredFiles.Place(site.location(), Map.of());
  }

  /// Returns all files below a folder.
  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /// A server of all that tests write below the folder of temporary files.
  static final class Http implements StoredFiles.Store {
    private final Path root = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
    private final RangeServer server;

    Http() throws IOException {
      server = new RangeServer(root);
    }

    @Override
    public StructuredDataset dataset(Path folder) throws IOException {
      server.requests().clear(); // nobody asks for them, and over all tests they would be many
      return new StructuredDataset(
          files(folder).stream()
              .map(file -> server.url() + "/" + name(root, file).replace(" ", "%20"))
              .toList());
    }

    @Override
    public void close() {
      server.close();
    }
  }

  /// S3Proxy, in which each folder that is asked for is a bucket.
  static final class S3 implements StoredFiles.FolderStore {
    private final Path buckets;
    private final S3Server server;
    private final AtomicInteger count = new AtomicInteger();

    S3() throws IOException {
      buckets = Files.createTempDirectory("penstock-buckets");
      server = new S3Server(buckets);
    }

    @Override
    public StoredFiles.Place put(Path folder) throws IOException {
      String bucket = "bucket" + count.incrementAndGet();
      for (Path file : files(folder)) {
        Path copy = buckets.resolve(bucket).resolve(folder.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
      return new StoredFiles.Place(
          "s3://" + bucket,
          Map.of(
              "endpoint",
              server.endpoint(),
              "access-key-id",
              S3Server.ACCESS_KEY,
              "secret-access-key",
              S3Server.SECRET));
    }

    @Override
    public void close() {
      server.close();
      delete(buckets);
    }
  }

  /// MinIO, in which each folder that is asked for is a bucket.
  static final class Minio implements StoredFiles.FolderStore {
    private final Path buckets;
    private final MinioServer server;
    private final AtomicInteger count = new AtomicInteger();

    /// Starts it, or skips the test.
    Minio() throws IOException {
      buckets = Files.createTempDirectory("penstock-minio");
      server = new MinioServer(buckets);
    }

    @Override
    public StoredFiles.Place put(Path folder) throws IOException {
      String bucket = "bucket" + count.incrementAndGet();
      for (Path file : files(folder)) {
        server.put(bucket, name(folder, file), Files.readAllBytes(file));
      }
      return new StoredFiles.Place(
          "s3://" + bucket,
          Map.of(
              "endpoint",
              server.endpoint(),
              "region",
              MinioServer.REGION,
              "access-key-id",
              MinioServer.ACCESS_KEY,
              "secret-access-key",
              MinioServer.SECRET));
    }

    @Override
    public void close() {
      server.close();
      delete(buckets);
    }
  }

  /// Azurite, in which each folder that is asked for is a container.
  static final class Azure implements StoredFiles.FolderStore {
    private final AzureServer server;
    private final AtomicInteger count = new AtomicInteger();

    Azure() throws IOException {
      server = new AzureServer();
    }

    @Override
    public StoredFiles.Place put(Path folder) throws IOException {
      String container = "container" + count.incrementAndGet();
      for (Path file : files(folder)) {
        server.put(container, name(folder, file), Files.readAllBytes(file));
      }
      return new StoredFiles.Place(
          "az://" + container,
          Map.of("endpoint", server.endpoint(), "account-key", AzureServer.KEY));
    }

    @Override
    public void close() {
      server.close();
    }
  }

  /// fake-gcs-server, in which each folder that is asked for is a bucket.
  static final class Gcs implements StoredFiles.FolderStore {
    private final GcsServer server;
    private final AtomicInteger count = new AtomicInteger();

    Gcs() throws IOException {
      server = new GcsServer();
    }

    @Override
    public StoredFiles.Place put(Path folder) throws IOException {
      String bucket = "bucket" + count.incrementAndGet();
      for (Path file : files(folder)) {
        server.put(bucket, name(folder, file), Files.readAllBytes(file));
      }
      return new StoredFiles.Place(
          "gs://" + bucket, Map.of("endpoint", server.endpoint(), "anonymous", "true"));
    }

    @Override
    public void close() {
      server.close();
    }
  }

  static void delete(Path folder) {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.toList().reversed()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns the name of a file below a folder as stores have it.
  private static String name(Path folder, Path file) {
    return folder.relativize(file).toString().replace('\\', '/');
  }
}
