package dev.penstock.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.options.LoaderOptions;
import dev.penstock.testing.Fuzzed;
import dev.penstock.testing.MemoryStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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

  private static final Map<String, byte[]> GOOD = good();

  /// Where the good table says that it is.
  private static final String TABLE = location(METADATA.seed());

  private static String location(byte[] metadata) {
    String text = new String(metadata, StandardCharsets.UTF_8);
    Matcher location = Pattern.compile("\"location\":\"(.+?)\"").matcher(text);
    if (!location.find()) {
      throw new IllegalStateException(text);
    }
    return location.group(1);
  }

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
    return seed();
  }

  byte[] seed() {
    return Objects.requireNonNull(GOOD.get(path()));
  }

  /// Makes the good table anew: `FuzzTarget FOLDER`.
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createTempDirectory("fuzz");
    WrittenTable written =
        WrittenTable.create(
            folder, CountingTable.SCHEMA, CountingTable.BY_CAT, 2, FileFormat.PARQUET);
    List<Record> rows =
        Stream.of(0L, 1L, 2L).map(id -> CountingTable.row(CountingTable.SCHEMA, id)).toList();
    written.append(rows);
    Path table = folder.resolve("table");
    try (Stream<Path> files = Files.walk(table)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = Path.of(arguments[0]).resolve(table.relativize(file));
        Files.createDirectories(target.getParent());
        byte[] bytes = Files.readAllBytes(file);
        // Compression would hide the bytes from a fuzzer.
        boolean isPacked = file.toString().endsWith(".avro");
        Files.write(
            target,
            moved(
                isPacked ? CutFilesTest.blocks(bytes, "null", Integer.MAX_VALUE) : bytes,
                table.toString()));
      }
    }
  }

  /// Replaces the table's place on this machine by one of as many letters, as lengths stand before
  /// texts.
  private static byte[] moved(byte[] file, String table) {
    String place = "s3://fuzz/" + "t".repeat(table.length() - 10);
    return new String(file, StandardCharsets.ISO_8859_1)
        .replace(table, place)
        .getBytes(StandardCharsets.ISO_8859_1);
  }
}
