package dev.penstock.blackbox;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.testing.SeedLimit;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Files that a contract holds for, and how many seeds it takes to show that: a format's files on
/// the local disk, or Parquet files in a store.
///
/// The parameter of a [FileContract]: opened before the tests with it, and closed after them.
final class ContractFiles implements SeedLimit, AutoCloseable {
  /// Starts what the files need.
  private interface Opener {
    TableWriter open() throws IOException;
  }

  /// Starts a store.
  private interface Starter {
    StoredFiles.Store start() throws IOException;
  }

  /// Starts a store with folders.
  private interface FolderStarter {
    StoredFiles.FolderStore start() throws IOException;
  }

  private final String name;
  private final boolean needsServer;
  private final int mostSeeds;
  private final Opener opener;
  private @Nullable TableWriter writer;

  private ContractFiles(String name, boolean needsServer, int mostSeeds, Opener opener) {
    this.name = name;
    this.needsServer = needsServer;
    this.mostSeeds = mostSeeds;
    this.opener = opener;
  }

  static ContractFiles parquet() {
    return of("Parquet", ParquetFiles::new);
  }

  /// Parquet files in a table that hides some of their rows.
  static ContractFiles deletedRows() {
    return of("deleted rows", () -> new DeletedRowsFiles(new ParquetFiles(), "parquet"));
  }

  /// Parquet files of a Delta table that renames their columns and hides some of their rows.
  static ContractFiles delta() {
    return of("Delta", () -> new DeltaFiles(null));
  }

  /// A Delta table in each of the stores that have servers.
  static List<ContractFiles> deltaInStores() {
    return List.of(
        delta("Delta in S3", Stores.S3::new),
        delta("Delta in MinIO", Stores.Minio::new),
        delta("Delta in Azure", Stores.Azure::new),
        delta("Delta in GCS", Stores.Gcs::new));
  }

  private static ContractFiles delta(String name, FolderStarter store) {
    return new ContractFiles(name, true, Integer.MAX_VALUE, () -> new DeltaFiles(store.start()));
  }

  static ContractFiles orc() {
    return of("ORC", OrcFiles::new);
  }

  static ContractFiles arrow() {
    return of("Arrow", ArrowFiles::new);
  }

  static ContractFiles avro() {
    return of("Avro", AvroFiles::new);
  }

  static ContractFiles csv() {
    return of("CSV", CsvFiles::new);
  }

  /// JSON in arrays, or one record behind another.
  static ContractFiles json() {
    return of("JSON", () -> new JsonRows(false));
  }

  static ContractFiles jsonLines() {
    return of("JSON lines", () -> new JsonRows(true));
  }

  /// A format outside of the library, with the least that a format has to do.
  static ContractFiles rows() {
    return of("rows", RowsFormat::new);
  }

  /// The same files, with a cache of their decoded columns.
  static ContractFiles cached(ContractFiles files) {
    return new ContractFiles(
        files.name + ", cached",
        files.needsServer,
        Integer.MAX_VALUE,
        () -> new CachedFiles(files.opener.open()));
  }

  static ContractFiles memory() {
    return of(
        "memory",
        () -> new StoredFiles(new ParquetFiles(), (StoredFiles.FolderStore) Stores::memory));
  }

  static ContractFiles http() {
    return server("HTTP", Stores.Http::new);
  }

  static ContractFiles s3() {
    return server("S3", Stores.S3::new);
  }

  static ContractFiles minio() {
    return server("MinIO", Stores.Minio::new);
  }

  static ContractFiles azure() {
    return server("Azure", Stores.Azure::new);
  }

  static ContractFiles gcs() {
    return server("GCS", Stores.Gcs::new);
  }

  private static ContractFiles of(String name, Opener opener) {
    return new ContractFiles(name, false, Integer.MAX_VALUE, opener);
  }

  private static ContractFiles server(String name, Starter store) {
    Opener opener = () -> new StoredFiles(new ParquetFiles(), store.start());
    return new ContractFiles(name, true, Integer.MAX_VALUE, opener);
  }

  /// Returns the same files for a contract of which each seed takes long.
  ContractFiles seedsAtMost(int seeds) {
    return new ContractFiles(name, needsServer, seeds, opener);
  }

  @Override
  public int mostSeeds() {
    return mostSeeds;
  }

  /// Starts what the files need, or skips the tests with them.
  void open() throws IOException {
    String asked = System.getProperty("files", name);
    assumeTrue(asked.equalsIgnoreCase(name), () -> name + " is not '" + asked + "'");
    assumeTrue(
        !needsServer || Boolean.getBoolean("penstock.stores"),
        () -> name + " takes a minute: ./mvnw verify -Pstores runs it");
    writer = opener.open();
  }

  /// Returns what writes the files.
  TableWriter writer() {
    return Objects.requireNonNull(writer, "not open");
  }

  @Override
  public void close() {
    if (writer != null) {
      writer.stop();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
