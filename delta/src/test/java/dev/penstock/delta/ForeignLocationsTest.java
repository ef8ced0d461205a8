package dev.penstock.delta;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.batch.Batch;
import dev.penstock.options.LoaderOptions;
import dev.penstock.testing.MemoryStorage;
import dev.penstock.testing.RangeServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables whose log names files outside of the table.
class ForeignLocationsTest {
  private static final Path PARTS = Path.of("src/test/resources/golden/v2-checkpoint-json");
  private static final String COMMIT = "_delta_log/00000000000000000000.json";

  @TempDir Path folder;
  private List<String> parts;

  @BeforeEach
  void listParts() throws IOException {
    try (Stream<Path> files = Files.list(PARTS)) {
      parts =
          files
              .filter(Files::isRegularFile)
              .map(file -> file.getFileName().toString())
              .sorted()
              .toList();
    }
  }

  /// Returns the commit of a table with some files.
  private static byte[] log(String vector, String... paths) throws IOException {
    StringBuilder log = new StringBuilder();
    log.append("{\"protocol\":{\"minReaderVersion\":3,\"minWriterVersion\":7,")
        .append("\"readerFeatures\":[\"deletionVectors\"],")
        .append("\"writerFeatures\":[\"deletionVectors\"]}}\n");
    log.append(
        Files.readAllLines(PARTS.resolve(COMMIT)).stream()
            .filter(line -> line.contains("metaData"))
            .findFirst()
            .orElseThrow());
    for (String path : paths) {
      log.append("\n{\"add\":{\"path\":\"")
          .append(path)
          .append("\",\"partitionValues\":{},\"size\":")
          .append(size(path))
          .append(",\"modificationTime\":0,\"dataChange\":true")
          .append(vector)
          .append("}}");
    }
    return log.toString().getBytes(UTF_8);
  }

  private static long size(String path) throws IOException {
    Path part = PARTS.resolve(path.substring(path.lastIndexOf('/') + 1));
    return Files.exists(part) ? Files.size(part) : 100;
  }

  private static DeltaDataset remote(MemoryStorage.Site site) {
    return DeltaDataset.table(site.location() + "/t");
  }

  private static MemoryStorage.Site site(byte[] log) {
    return MemoryStorage.site().put("t/" + COMMIT, log);
  }

  private static long rows(DeltaDataset table) {
    long rows = 0;
    try (DataLoader loader = DataLoader.of(table.dataset(), LoaderOptions.defaults());
        EpochIterator<Batch> batches = loader.iterator()) {
      while (batches.hasNext()) {
        try (Batch batch = batches.next()) {
          rows += batch.rowCount();
        }
      }
    }
    return rows;
  }

  @Test
  void storageOptionsGoToNoOtherOrigin() throws IOException {
    List<String> seen = new CopyOnWriteArrayList<>();
    try (RangeServer own = new RangeServer(PARTS.toAbsolutePath());
        RangeServer other = new RangeServer(PARTS.toAbsolutePath())) {
      own.answer(exchange -> {
        boolean isKnown =
            "Bearer hush".equals(exchange.getRequestHeaders().getFirst("Authorization"))
                && "sig=quiet".equals(exchange.getRequestURI().getQuery());
        if (!isKnown) {
          exchange.sendResponseHeaders(401, -1);
        }
        return !isKnown;
      });
      other.answer(exchange -> {
        seen.add(exchange.getRequestURI() + " " + exchange.getRequestHeaders().entrySet());
        return false;
      });
      byte[] log =
          log("", own.url() + "/" + parts.get(0), other.url() + "/" + parts.get(1), parts.get(2));
      Path table = folder.resolve("t");
      Files.createDirectories(table.resolve("_delta_log"));
      Files.write(table.resolve(COMMIT), log);
      Files.copy(PARTS.resolve(parts.get(2)), table.resolve(parts.get(2)));
      DeltaDataset dataset =
          DeltaDataset.table(table.toString())
              .storageOption("bearer-token", "hush")
              .storageOption("query", "sig=quiet");

      // Nobody but the log has named the servers.
      assertThatThrownBy(() -> rows(dataset))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(own.url() + "/" + parts.get(0))
          .hasMessageContaining(
              "(401). Give credentials. Your storage options were not used there:")
          .hasMessageContaining("If they are meant for it, map its location to itself")
          .hasMessageNotContaining("hush")
          .hasMessageNotContaining("quiet");
      assertThat(rows(dataset.mapLocation(own.url(), own.url()))).isPositive();
      assertThat(seen).isNotEmpty().noneMatch(each -> each.contains("hush"));
      assertThat(seen).noneMatch(each -> each.contains("quiet"));

      rows(dataset.mapLocation(own.url(), own.url()).mapLocation(other.url(), other.url()));
      assertThat(seen).anyMatch(each -> each.contains("hush") && each.contains("quiet"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file:/etc/passwd", "file:///etc/passwd", "../../u/a.parquet", "../t2/a.parquet",
        "%2e%2e/%2e%2e/a.parquet", "a/../../a.parquet", "jar:file:/a.jar!/x", "jar:https://h/a!/x"
      })
  void remoteTableThatLeadsElsewhereIsRefused(String path) throws IOException {
    DeltaDataset table = remote(site(log("", path)));
    assertThatThrownBy(() -> rows(table))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageMatching(
            "Cannot read '[^']+': it is named by the metadata of table 'memory://site[0-9]+/t' and"
                + " (is on this machine, but the table is not|leads to another folder by '\\.\\.'"
                + "|has the scheme 'jar:', which no store serves)\\. If it is meant, map a prefix"
                + " of it to where it is, or to itself: mapLocation in Java, --map-location, or"
                + " map_location in Python\\.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"file:/etc/passwd", "file:///etc/../etc/passwd", "jar:file:/a.jar!/x"})
  void deletionVectorElsewhereIsRefused(String path) throws IOException {
    String vector =
        ",\"deletionVector\":{\"storageType\":\"p\",\"pathOrInlineDv\":\""
            + path
            + "\",\"offset\":1,\"sizeInBytes\":36,\"cardinality\":2}";
    String part = parts.getFirst();
    DeltaDataset table =
        remote(site(log(vector, part)).put("t/" + part, Files.readAllBytes(PARTS.resolve(part))));
    assertThatThrownBy(() -> rows(table))
        .hasMessageContaining(": it is named by the metadata of table 'memory://site")
        .hasMessageNotContaining("Corrupt");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../../../a.parquet", "jar:file:/../a.jar!/x"})
  void sidecarElsewhereIsRefused(String path) throws IOException {
    MemoryStorage.Site site = MemoryStorage.site().put(PARTS);
    try (Stream<Path> log = Files.list(PARTS.resolve("_delta_log"))) {
      Path checkpoint =
          log.filter(file -> file.toString().endsWith(".json"))
              .filter(file -> file.toString().contains(".checkpoint."))
              .findFirst()
              .orElseThrow();
      String changed =
          Files.readString(checkpoint)
              .replaceFirst("(\"sidecar\":\\{\"path\":\")[^\"]*", "$1" + path);
      site.put("_delta_log/" + checkpoint.getFileName(), changed.getBytes(UTF_8));
    }
    assertThatThrownBy(() -> rows(DeltaDataset.table(site.location())))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("/_sidecars/" + path + "': it is named by the metadata of table '");
  }

  @Test
  void mappedPrefixesAllowLocalFilesAndWaysUp() throws IOException {
    Path source = Files.createDirectory(folder.resolve("source"));
    Files.copy(PARTS.resolve(parts.get(0)), source.resolve(parts.get(0)));
    MemoryStorage.Site site =
        site(log("", "file:" + source + "/" + parts.get(0), "../u/" + parts.get(1)))
            .put("u/" + parts.get(1), Files.readAllBytes(PARTS.resolve(parts.get(1))));
    String beside = site.location() + "/u";
    DeltaDataset table = remote(site).mapLocation(beside, beside);
    assertThatThrownBy(() -> rows(table)).hasMessageContaining("is on this machine");
    assertThat(rows(table.mapLocation("file:" + source, source.toString()))).isPositive();
  }

  @Test
  void localTableMayNameLocalFilesAndWaysUp() throws IOException {
    Path table = folder.resolve("t");
    Files.createDirectories(table.resolve("_delta_log"));
    Path source = Files.createDirectory(folder.resolve("source"));
    for (String part : parts.subList(0, 2)) {
      Files.copy(PARTS.resolve(part), source.resolve(part));
    }
    Files.write(
        table.resolve(COMMIT),
        log("", "file:" + source + "/" + parts.get(0), "../source/" + parts.get(1)));
    assertThat(rows(DeltaDataset.table(table.toString()))).isPositive();
  }
}
