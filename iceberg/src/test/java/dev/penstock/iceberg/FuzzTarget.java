package dev.penstock.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.LoaderOptions;
import dev.penstock.testing.Fuzzed;
import dev.penstock.testing.MemoryStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.data.Record;

/// Files of a table's metadata, beside the others of a good table: planned, or an error that names
/// the table.
enum FuzzTarget implements Fuzzed {
  /// The table's metadata, as JSON.
  METADATA,
  /// The list of the snapshot's manifests.
  LIST,
  /// A manifest with data files.
  MANIFEST;

  private static final String TABLE = "/tmp/penstock-fuzz/table";
  private static final Map<String, byte[]> GOOD = good();

  /// Returns the files of the good table, by their paths in it.
  private static Map<String, byte[]> good() {
    Map<String, byte[]> found = new TreeMap<>();
    try {
      Path folder =
          Path.of(Objects.requireNonNull(FuzzTarget.class.getResource("fuzz-table")).toURI());
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          found.put(folder.relativize(file).toString(), Files.readAllBytes(file));
        }
      }
    } catch (IOException | URISyntaxException e) {
      throw new IllegalStateException(e);
    }
    return found;
  }

  private String path() {
    return GOOD.keySet().stream()
        .filter(path ->
            switch (this) {
              case METADATA -> path.endsWith(".metadata.json");
              case LIST -> path.startsWith("metadata/snap-");
              case MANIFEST -> path.endsWith("-m0.avro");
            })
        .reduce((_, newest) -> newest)
        .orElseThrow();
  }

  @Override
  public void run(byte[] data) {
    MemoryStorage.Site site = MemoryStorage.site();
    try {
      rows(site, data);
    } catch (UncheckedIOException | IllegalArgumentException e) {
      assertThat(e).hasMessageContaining(site.location());
    } finally {
      site.remove();
    }
  }

  /// Plans the table with another file at this place, and returns its rows.
  long rows(MemoryStorage.Site site, byte[] data) {
    GOOD.forEach(site::put);
    site.put(path(), data);
    return IcebergDataset.metadata(site.location() + "/" + METADATA.path())
        .mapLocation(TABLE, site.location())
        .dataset()
        .plan(LoaderOptions.defaults(), 0)
        .rows();
  }

  @Override
  public byte[] seed(Random random, Path folder) {
    return Objects.requireNonNull(GOOD.get(path()));
  }

  /// Makes the good table anew: `FuzzTarget FOLDER`.
  public static void main(String[] arguments) throws IOException {
    WrittenTable written =
        WrittenTable.create(
            Path.of("/tmp/penstock-fuzz"),
            CountingTable.SCHEMA,
            CountingTable.BY_CAT,
            2,
            FileFormat.PARQUET);
    List<Record> rows =
        Stream.of(0L, 1L, 2L).map(id -> CountingTable.row(CountingTable.SCHEMA, id)).toList();
    DataFile first = written.append(rows).getFirst();
    written.deletePositions(Map.of(first, new long[] {0}));
    Path table = Path.of("/tmp/penstock-fuzz/table");
    try (Stream<Path> files = Files.walk(table)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = Path.of(arguments[0]).resolve(table.relativize(file));
        Files.createDirectories(target.getParent());
        byte[] bytes = Files.readAllBytes(file);
        // Compression would hide the bytes from a fuzzer.
        boolean isPacked = file.toString().endsWith(".avro");
        Files.write(
            target, isPacked ? CutFilesTest.blocks(bytes, "null", Integer.MAX_VALUE) : bytes);
      }
    }
  }
}
