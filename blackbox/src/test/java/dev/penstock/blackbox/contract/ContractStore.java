package dev.penstock.blackbox.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.azure.AzureServer;
import dev.penstock.gcs.GcsServer;
import dev.penstock.s3.S3Server;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import dev.penstock.testing.MemoryStorage;
import dev.penstock.testing.RangeServer;
import dev.penstock.testing.Ring;
import dev.penstock.testing.StoreServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// A store that the contract of stores holds for, and in which ring that is shown.
///
/// The parameter of [StorageContractTest]: opened before the tests with it, and closed after them.
final class ContractStore implements AutoCloseable {
  /// Puts files into a store.
  private interface Filler extends AutoCloseable {
    void put(String path, byte[] content) throws IOException;

    void delete(String path) throws IOException;

    @Override
    default void close() {}
  }

  /// A store that is there.
  ///
  /// @param base what comes before the path of a file
  private record Opened(String base, Map<String, String> options, Filler filler) {}

  private interface Opener {
    Opened open() throws IOException;
  }

  /// Files below a local folder, each with another time of change.
  private static final class Folder implements Filler {
    private final Path folder;
    private long time;

    Folder() throws IOException {
      folder = Files.createTempDirectory("penstock-store");
    }

    @Override
    public void put(String path, byte[] content) throws IOException {
      Path file = folder.resolve(path);
      Files.createDirectories(file.getParent());
      Files.deleteIfExists(file);
      Files.write(file, content);
      Files.setLastModifiedTime(file, FileTime.fromMillis(time += 2000));
    }

    @Override
    public void delete(String path) throws IOException {
      Files.delete(folder.resolve(path));
    }

    @Override
    public void close() {
      Stores.delete(folder);
    }
  }

  /// A bucket of a server.
  private record Bucket(StoreServer server) implements Filler {
    @Override
    public void put(String path, byte[] content) throws IOException {
      server.put("lake", path, content);
    }

    @Override
    public void delete(String path) throws IOException {
      server.delete("lake", path);
    }

    @Override
    public void close() {
      server.close();
    }
  }

  private final String name;
  private final Ring ring;
  private final boolean hasFolders;
  private final Opener opener;
  private @Nullable Opened opened;

  private ContractStore(String name, Ring ring, boolean hasFolders, Opener opener) {
    this.name = name;
    this.ring = ring;
    this.hasFolders = hasFolders;
    this.opener = opener;
  }

  static List<ContractStore> all() {
    return List.of(
        new ContractStore("local", Ring.INNER, true, ContractStore::local),
        new ContractStore("memory", Ring.INNER, true, ContractStore::memory),
        new ContractStore("HTTP", Ring.INNER, false, ContractStore::http),
        new ContractStore("S3", Ring.OUTER, true, ContractStore::s3),
        new ContractStore("Azure", Ring.OUTER, true, ContractStore::azure),
        new ContractStore("GCS", Ring.OUTER, true, ContractStore::gcs));
  }

  private static Opened local() throws IOException {
    Folder folder = new Folder();
    return new Opened(folder.folder + "/", Map.of(), folder);
  }

  private static Opened memory() {
    MemoryStorage.Site site = MemoryStorage.site();
    Filler filler =
        new Filler() {
          @Override
          public void put(String path, byte[] content) {
            site.put(path, content.clone());
          }

          @Override
          public void delete(String path) {
            site.delete(path);
          }
        };
    return new Opened(site.location() + "/", Map.of(), filler);
  }

  private static Opened http() throws IOException {
    Folder folder = new Folder();
    RangeServer server = new RangeServer(folder.folder);
    Filler filler =
        new Filler() {
          @Override
          public void put(String path, byte[] content) throws IOException {
            folder.put(path, content);
          }

          @Override
          public void delete(String path) throws IOException {
            folder.delete(path);
          }

          @Override
          public void close() {
            server.close();
            folder.close();
          }
        };
    return new Opened(server.url() + "/", Map.of(), filler);
  }

  private static Opened s3() throws IOException {
    S3Server server = new S3Server(Files.createTempDirectory("penstock-buckets"));
    return new Opened(
        "s3://lake/",
        Map.of(
            "endpoint",
            server.endpoint(),
            "access-key-id",
            S3Server.ACCESS_KEY,
            "secret-access-key",
            S3Server.SECRET),
        new Bucket(server));
  }

  private static Opened azure() throws IOException {
    AzureServer server = new AzureServer();
    return new Opened(
        "az://lake/",
        Map.of("endpoint", server.endpoint(), "account-key", AzureServer.KEY),
        new Bucket(server));
  }

  private static Opened gcs() throws IOException {
    GcsServer server = new GcsServer();
    return new Opened(
        "gs://lake/",
        Map.of("endpoint", server.endpoint(), "anonymous", "true"),
        new Bucket(server));
  }

  /// Starts what the store needs, or skips the tests with it.
  void open() throws IOException {
    assumeTrue(ring.isRunning(), () -> name + " is for the ring " + ring);
    opened = opener.open();
  }

  private Opened opened() {
    return Objects.requireNonNull(opened, "not open");
  }

  Storage storage() {
    String scheme = new Location(opened().base).scheme();
    StorageOptions options = StorageOptions.NONE;
    for (Map.Entry<String, String> option : options().entrySet()) {
      options = options.with(option.getKey(), option.getValue());
    }
    return ServiceLoader.load(Storage.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(storage -> storage.schemes().contains(scheme))
        .findFirst()
        .orElseThrow()
        .with(options);
  }

  Map<String, String> options() {
    return opened().options;
  }

  boolean hasFolders() {
    return hasFolders;
  }

  /// Returns whether it creates files: HTTP does not, and Firebase's emulator heeds no condition.
  boolean creates() {
    boolean isHeedless =
        opened().filler instanceof Bucket(GcsServer emulated) && emulated.isEmulator();
    return hasFolders && !isHeedless;
  }

  Location put(String path, byte[] content) throws IOException {
    opened().filler.put(path, content);
    return new Location(opened().base + path);
  }

  void delete(String path) throws IOException {
    opened().filler.delete(path);
  }

  @Override
  public void close() {
    if (opened != null) {
      opened.filler.close();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
