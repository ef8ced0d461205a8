package dev.penstock.blackbox.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.blackbox.files.ArrowFiles;
import dev.penstock.blackbox.files.AvroFiles;
import dev.penstock.blackbox.files.CachedFiles;
import dev.penstock.blackbox.files.CsvFiles;
import dev.penstock.blackbox.files.DeletedRowsFiles;
import dev.penstock.blackbox.files.DeltaFiles;
import dev.penstock.blackbox.files.JsonRows;
import dev.penstock.blackbox.files.OrcFiles;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.PlannedFiles;
import dev.penstock.blackbox.files.RowsFormat;
import dev.penstock.blackbox.files.StoredFiles;
import dev.penstock.blackbox.files.TableWriter;
import dev.penstock.testing.Ring;
import dev.penstock.testing.SeedLimit;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Files that a contract holds for, and in which ring it is shown with them: a format's files on
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
  private final Ring ring;
  private final Opener opener;
  private @Nullable TableWriter writer;

  private ContractFiles(String name, Ring ring, Opener opener) {
    this.name = name;
    this.ring = ring;
    this.opener = opener;
  }

  /// What shows a promise of order, ranks, resuming or composing, which no format can change: rows
  /// made in memory, Parquet, and the cache.
  private static List<ContractFiles> forOrder() {
    return List.of(rows(), parquet(), cached(parquet()));
  }

  private static List<ContractFiles> otherFormats() {
    return List.of(deletedRows(), delta(), orc(), arrow(), avro(), csv(), json(), jsonLines());
  }

  private static List<ContractFiles> otherCached() {
    return List.of(orc(), arrow(), avro(), csv(), json(), deletedRows(), delta()).stream()
        .map(ContractFiles::cached)
        .toList();
  }

  private static List<ContractFiles> planned() {
    return List.of(parquet(), deletedRows(), delta(), orc(), avro(), csv(), json()).stream()
        .map(ContractFiles::planned)
        .toList();
  }

  private static List<ContractFiles> stores() {
    return List.of(
        memory(),
        http(),
        s3(),
        minio(),
        azure(),
        gcs(),
        delta("Delta in S3", Ring.OUTER, Stores.S3::new),
        delta("Delta in MinIO", Ring.NIGHT, Stores.Minio::new),
        delta("Delta in Azure", Ring.OUTER, Stores.Azure::new),
        delta("Delta in GCS", Ring.OUTER, Stores.Gcs::new));
  }

  /// Files in which a promise does not depend on the format: the inner ring shows it with three of
  /// them, and the outer with one seed of each other.
  static List<ContractFiles> ofOrder() {
    return join(
        Stream.of(forOrder(), outer(otherFormats()), outer(otherCached()), outer(planned())));
  }

  /// Those of [#ofOrder] but for tables: files whose schemas may differ, and that may be replaced.
  static List<ContractFiles> ofLooseFiles() {
    return ofOrder().stream().filter(files -> !files.name.startsWith("Delta")).toList();
  }

  /// Those of [#ofOrder] but for formats without lists.
  static List<ContractFiles> ofLists() {
    return ofOrder().stream().filter(files -> !files.name.startsWith("CSV")).toList();
  }

  /// Those of [#ofOrder], and files in stores.
  static List<ContractFiles> ofOrderAndStores() {
    return join(Stream.of(ofOrder(), outer(stores())));
  }

  /// Files of each format, all in the inner ring, and in each store.
  static List<ContractFiles> ofFormats() {
    return join(Stream.of(forOrder(), otherFormats(), outer(otherCached()), outer(stores())));
  }

  private static List<ContractFiles> join(Stream<List<ContractFiles>> lists) {
    return lists.flatMap(List::stream).toList();
  }

  private static List<ContractFiles> outer(List<ContractFiles> files) {
    return files.stream().map(each -> each.from(Ring.OUTER)).toList();
  }

  private ContractFiles from(Ring ring) {
    return new ContractFiles(name, ring.compareTo(this.ring) > 0 ? ring : this.ring, opener);
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

  private static ContractFiles delta(String name, Ring ring, FolderStarter store) {
    return new ContractFiles(name, ring, () -> new DeltaFiles(store.start()));
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
        files.name + ", cached", files.ring, () -> new CachedFiles(files.opener.open()));
  }

  /// The same files, with a plan of them.
  static ContractFiles planned(ContractFiles files) {
    return new ContractFiles(
        files.name + ", planned", files.ring, () -> new PlannedFiles(files.opener.open()));
  }

  static ContractFiles memory() {
    return of(
        "memory",
        () -> new StoredFiles(new ParquetFiles(), (StoredFiles.FolderStore) Stores::memory));
  }

  static ContractFiles http() {
    return server("HTTP", Ring.OUTER, Stores.Http::new);
  }

  static ContractFiles s3() {
    return server("S3", Ring.OUTER, Stores.S3::new);
  }

  static ContractFiles minio() {
    return server("MinIO", Ring.NIGHT, Stores.Minio::new);
  }

  static ContractFiles azure() {
    return server("Azure", Ring.OUTER, Stores.Azure::new);
  }

  static ContractFiles gcs() {
    return server("GCS", Ring.OUTER, Stores.Gcs::new);
  }

  private static ContractFiles of(String name, Opener opener) {
    return new ContractFiles(name, Ring.INNER, opener);
  }

  private static ContractFiles server(String name, Ring ring, Starter store) {
    return new ContractFiles(name, ring, () -> new StoredFiles(new ParquetFiles(), store.start()));
  }

  /// Files of the inner ring have three seeds, others one; at night the former have all, and the
  /// latter six: with servers each takes long.
  @Override
  public int mostSeeds() {
    if (Ring.NIGHT.isRunning()) {
      return ring == Ring.INNER ? Integer.MAX_VALUE : 6;
    }
    return ring == Ring.INNER ? 3 : 1;
  }

  /// Starts what the files need, or skips the tests with them.
  void open() throws IOException {
    String asked = System.getProperty("files", name);
    assumeTrue(asked.equalsIgnoreCase(name), () -> name + " is not '" + asked + "'");
    assumeTrue(ring.isRunning(), () -> name + " is for the ring " + ring);
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
