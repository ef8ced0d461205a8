package dev.penstock.blackbox.cases;

import static dev.penstock.blackbox.cases.CachedEpoch.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.RowDataset;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.files.ArrowFiles;
import dev.penstock.blackbox.files.AvroFiles;
import dev.penstock.blackbox.files.CsvFiles;
import dev.penstock.blackbox.files.DeltaFiles;
import dev.penstock.blackbox.files.FaultStorage;
import dev.penstock.blackbox.files.JsonRows;
import dev.penstock.blackbox.files.OrcFiles;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.TableWriter;
import dev.penstock.delta.DeltaDataset;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.Shuffle;
import dev.penstock.tck.Table;
import dev.penstock.testing.MemoryStorage;
import dev.penstock.testing.MemoryStorage.Site;
import dev.penstock.testing.RangeServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A cache of decoded columns: what it spares, and what it must not mix up.
class CacheTest extends CacheFolders {
  private static final DataType INT64 = new DataType.Int(64, true);
  private static final DataType FLOAT64 = new DataType.Floating(64);
  private static final DataType TEXT = new DataType.Utf8();

  static Table table(int files, TableWriter writer) {
    List<Field> fields = new ArrayList<>();
    fields.add(new Field("id", INT64, false));
    fields.add(new Field("text", TEXT, true));
    fields.add(new Field("x", FLOAT64, true));
    if (writer.nesting() > 0) {
      fields.add(new Field("list", new DataType.List(INT64, false), true));
      fields.add(
          new Field("struct", new DataType.Struct(List.of(new Field("a", TEXT, true))), true));
    }
    Random random = new Random(11);
    List<Table.DataFile> made = new ArrayList<>();
    for (int file = 0; file < files; file++) {
      made.add(Table.file(random, Schema.of(fields), "part-" + file, 200, 200, 100));
    }
    return new Table(Schema.of(fields), made);
  }

  /// Writes a Parquet table into the folder of the files.
  private StructuredDataset parquet(int files) throws IOException {
    ParquetFiles writer = new ParquetFiles();
    return writer.dataset(this.files, table(files, writer), new Random(5));
  }

  @Nested
  class WhatItSpares {
    static Stream<Arguments> formats() {
      return Stream.of(
          Arguments.of("Parquet", new ParquetFiles()),
          Arguments.of("CSV", new CsvFiles()),
          Arguments.of("JSON lines", new JsonRows(true)),
          Arguments.of("JSON", new JsonRows(false)),
          Arguments.of("Avro", new AvroFiles()),
          Arguments.of("ORC", new OrcFiles()),
          Arguments.of("Arrow", new ArrowFiles()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("formats")
    void laterEpochsAndRunsAskTheStoreForNothing(String name, TableWriter writer)
        throws IOException {
      Table table = table(3, writer);
      List<List<Object>> expected = rows(writer.dataset(files, table, new Random(3)));
      Site site = MemoryStorage.site().put(files);
      StructuredDataset dataset = cached(writer.open(site.location(), table));
      try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(2).output(OutputFormat.MAP))) {
        assertThat(CachedEpoch.of(loader).rows()).as("first epoch").isEqualTo(expected);
        assertThat(site.requests()).isNotEmpty();
        site.requests().clear();
        assertThat(CachedEpoch.of(loader).requireCached().rows())
            .as("second epoch")
            .isEqualTo(expected);
      }
      for (int workers : new int[] {0, 3}) {
        StructuredDataset later = cached(writer.open(site.location(), table));
        assertThat(later.files()).hasSize(3);
        assertThat(CachedEpoch.of(later, o -> o.workers(workers)).requireCached().rows())
            .isEqualTo(expected);
        assertThat(CachedEpoch.of(later, o -> o.workers(workers).shuffle(Shuffle.splits())).rows())
            .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(
                CachedEpoch.of(
                        later, o -> o.workers(workers).shuffle(Shuffle.window(150)).batchSize(7))
                    .requireCached()
                    .rows())
            .containsExactlyInAnyOrderElementsOf(expected);
      }
      assertThat(site.requests()).as("requests of %s", name).isEmpty();
    }

    @Test
    void someColumnsOfThoseThatAreThereAskForNothing() throws IOException {
      parquet(2);
      Site site = MemoryStorage.site().put(files);
      List<List<Object>> expected =
          rows(new StructuredDataset(files.toString()).columns("x", "id"));
      rows(cached(new StructuredDataset(site.location())));
      site.requests().clear();
      CachedEpoch some =
          CachedEpoch.of(cached(new StructuredDataset(site.location()).columns("x", "id")));
      assertThat(some.requireCached().rows()).isEqualTo(expected);
      assertThat(site.requests()).isEmpty();
    }

    @Test
    void columnsThatAreNotThereAreReadAlone() throws IOException {
      parquet(2);
      Site site = MemoryStorage.site().put(files);
      rows(cached(new StructuredDataset(site.location()).columns("id")));
      CachedEpoch both =
          CachedEpoch.of(cached(new StructuredDataset(site.location()).columns("id", "x")));
      assertThat(both.bytes()).isPositive();
      assertThat(both.cached()).isPositive();
      assertThat(both.rows())
          .isEqualTo(rows(new StructuredDataset(files.toString()).columns("id", "x")));
      CachedEpoch.of(cached(new StructuredDataset(site.location()).columns("x"))).requireCached();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rows.csv.gz", "rows.jsonl.gz"})
    void compressedTextIsNotUnpackedAgain(String name) throws IOException {
      StringBuilder text = new StringBuilder(name.contains("csv") ? "id,text\n" : "");
      for (int i = 0; i < 1_000; i++) {
        text.append(
            name.contains("csv")
                ? i + ",t" + i % 7 + "\n"
                : "{\"id\":" + i + ",\"text\":\"t" + i % 7 + "\"}\n");
      }
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(files.resolve(name)))) {
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
      }
      Site site = MemoryStorage.site().put(files);
      List<List<Object>> expected = rows(new StructuredDataset(files.toString()));
      assertThat(expected).hasSize(1_000);
      assertThat(rows(cached(new StructuredDataset(site.location())))).isEqualTo(expected);
      site.requests().clear();
      CachedEpoch later = CachedEpoch.of(cached(new StructuredDataset(site.location())));
      assertThat(later.requireCached().rows()).isEqualTo(expected);
      assertThat(site.requests()).isEmpty();
    }

    @Test
    void webServerIsAskedOnlyWhetherTheFileIsTheSame() throws IOException {
      parquet(1);
      try (RangeServer server = new RangeServer(files)) {
        String url = server.url() + "/part-0.parquet";
        List<List<Object>> expected = rows(cached(new StructuredDataset(url)));
        server.requests().clear();
        assertThat(CachedEpoch.of(cached(new StructuredDataset(url))).requireCached().rows())
            .isEqualTo(expected);
        assertThat(server.requests()).isNotEmpty().allMatch(request -> request.startsWith("HEAD"));
      }
    }

    /// A catalog knows no versions, so the store is asked for each file, but for none of its bytes.
    @Test
    void filesOfACatalogAreNotReadAgain() throws IOException {
      DeltaFiles writer = new DeltaFiles(null);
      Table table = table(2, new ParquetFiles());
      List<List<Object>> expected = rows(writer.dataset(files, table, new Random(6)));
      Site site = MemoryStorage.site().put(files);
      for (int run = 0; run < 2; run++) {
        site.requests().clear();
        CachedEpoch epoch = CachedEpoch.of(cached(DeltaDataset.table(site.location()).dataset()));
        assertThat(epoch.rows()).isEqualTo(expected);
        assertThat(epoch.bytes() > 0).isEqualTo(run == 0);
      }
      assertThat(site.requests())
          .extracting(request -> request.location().text())
          .allMatch(name -> name.contains("_delta_log") || name.endsWith(".bin"));
    }

    @Test
    void filtersAskForNothingEither() throws IOException {
      ParquetFiles writer = ParquetFiles.prunable();
      writer.dataset(files, table(3, writer), new Random(8));
      Site site = MemoryStorage.site().put(files);
      StructuredDataset local = new StructuredDataset(files.toString());
      boolean isRead = false;
      for (String filter : List.of("x > 0.5", "text >= 'k'", "id > 0 and x < 3")) {
        List<List<Object>> expected = rows(local.where(filter));
        for (int run = 0; run < 3; run++) {
          site.requests().clear();
          CachedEpoch epoch =
              CachedEpoch.of(cached(new StructuredDataset(site.location()).where(filter)));
          assertThat(epoch.rows()).isEqualTo(expected);
          isRead |= run > 0; // by the first filter, all columns
          assertThat(isRead && !site.requests().isEmpty()).as("%s, run %s", filter, run).isFalse();
        }
      }
    }

    @Test
    void localFilesAreNotReadAgain() throws IOException {
      StructuredDataset dataset = parquet(2);
      List<List<Object>> expected = rows(dataset);
      CachedEpoch first = CachedEpoch.of(cached(dataset));
      assertThat(first.rows()).isEqualTo(expected);
      assertThat(first.bytes()).isPositive();
      assertThat(CachedEpoch.of(cached(dataset)).requireCached().rows()).isEqualTo(expected);
    }

    @Test
    void filesWithoutAVersionAreNotKept() throws IOException {
      parquet(1);
      StructuredDataset dataset = new StructuredDataset(FaultStorage.over(files).location());
      for (int i = 0; i < 2; i++) {
        assertThat(CachedEpoch.of(cached(dataset)).bytes()).isPositive();
      }
      assertThat(disk.segments()).isEmpty();
    }

    @Test
    void rowsByNumberComeFromItToo() throws IOException {
      parquet(2);
      Site site = MemoryStorage.site().put(files);
      List<List<Object>> expected = rows(cached(new StructuredDataset(site.location())));
      site.requests().clear();
      try (RowDataset rows = cached(new StructuredDataset(site.location())).openRows()) {
        for (int row : new int[] {999, 0, 500, 3}) {
          assertThat(rows.get(row).get("id")).isEqualTo(expected.get(row).getFirst());
          assertThat(rows.get(row).get("text")).isEqualTo(expected.get(row).get(1));
        }
      }
      assertThat(site.requests()).isEmpty();
    }
  }

  @Nested
  class WhatItTellsApart {
    /// Replaces a file, and lets it be as old as is said.
    private void replace(Path file, byte[] content, FileTime time) throws IOException {
      Files.write(file, content);
      Files.setLastModifiedTime(file, time);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 3_600, -1, -3_600, -1_000_000_000})
    void replacedFileIsReadWhateverTheClockSays(long seconds) throws IOException {
      Path file = files.resolve("a.csv");
      StructuredDataset dataset = csv("a.csv", "id\n1\n2\n");
      FileTime time = Files.getLastModifiedTime(file);
      assertThat(rows(cached(dataset))).containsExactly(List.of(1L), List.of(2L));
      FileTime other = FileTime.from(time.toInstant().plusSeconds(seconds));
      replace(file, "id\n3\n4\n".getBytes(StandardCharsets.UTF_8), other);
      assertThat(rows(cached(new StructuredDataset(file.toString()))))
          .as("same size")
          .containsExactly(List.of(3L), List.of(4L));
      replace(file, "id\n5\n".getBytes(StandardCharsets.UTF_8), other);
      assertThat(rows(cached(new StructuredDataset(file.toString()))))
          .as("other size")
          .containsExactly(List.of(5L));
      replace(file, "id\n1\n2\n".getBytes(StandardCharsets.UTF_8), time);
      assertThat(rows(cached(new StructuredDataset(file.toString()))))
          .as("the first one again")
          .containsExactly(List.of(1L), List.of(2L));
    }

    @Test
    void linkToAnotherFolderLeadsToOtherRows() throws IOException {
      FileTime time = FileTime.from(Instant.parse("2024-01-01T00:00:00Z"));
      for (int version = 1; version <= 2; version++) {
        Path file = Files.createDirectory(files.resolve("v" + version)).resolve("a.csv");
        replace(file, ("id\n" + version + "\n").getBytes(StandardCharsets.UTF_8), time);
      }
      Path link = folder.resolve("current");
      for (int version : new int[] {1, 2, 1}) {
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, files.resolve("v" + version));
        assertThat(rows(cached(new StructuredDataset(link.toString()))))
            .containsExactly(List.of((long) version));
      }
    }

    @Test
    void fileMovedToThePlaceOfOneOfItsSizeAndTimeIsRead() throws IOException {
      FileTime time = FileTime.from(Instant.parse("2024-01-01T00:00:00Z"));
      Path file = files.resolve("a.csv");
      for (int content = 1; content <= 3; content++) {
        Path made = folder.resolve("made");
        replace(made, ("id\n" + content + "\n").getBytes(StandardCharsets.UTF_8), time);
        Files.move(made, file, StandardCopyOption.REPLACE_EXISTING);
        assertThat(rows(cached(new StructuredDataset(file.toString()))))
            .containsExactly(List.of((long) content));
      }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/**"})
    void cacheBelowTheFilesIsNotTakenForData(String glob) throws IOException {
      csv("a.csv", "id\n1\n2\n");
      for (int run = 0; run < 2; run++) {
        StructuredDataset dataset =
            new StructuredDataset(files + glob).cache(files.resolve("cache").toString(), "64MiB");
        assertThat(rows(dataset)).containsExactly(List.of(1L), List.of(2L));
      }
      assertThat(rows(new StructuredDataset(files + glob)))
          .containsExactly(List.of(1L), List.of(2L));
    }

    @Test
    void replacedObjectIsRead() throws IOException {
      parquet(2);
      Site site = MemoryStorage.site().put(files);
      rows(cached(new StructuredDataset(site.location())));
      byte[] first = Files.readAllBytes(files.resolve("part-0.parquet"));
      byte[] second = Files.readAllBytes(files.resolve("part-1.parquet"));
      site.put("part-0.parquet", second).put("part-1.parquet", first);
      List<List<Object>> swapped = new ArrayList<>();
      swapped.addAll(rows(new StructuredDataset(files.resolve("part-1.parquet").toString())));
      swapped.addAll(rows(new StructuredDataset(files.resolve("part-0.parquet").toString())));
      assertThat(rows(cached(new StructuredDataset(site.location())))).isEqualTo(swapped);
    }

    @Test
    void sameColumnOfTextInOtherTypesIsRead() throws IOException {
      StructuredDataset dataset = csv("a.csv", "id,code\n1,007\n2,010\n");
      assertThat(rows(cached(dataset))).containsExactly(List.of(1L, 7L), List.of(2L, 10L));
      assertThat(rows(cached(dataset.cast("code", TEXT))))
          .containsExactly(List.of(1L, "007"), List.of(2L, "010"));
      Schema stated =
          Schema.of(List.of(new Field("id", FLOAT64, true), new Field("code", TEXT, true)));
      assertThat(rows(cached(dataset.schemaFrom(stated))))
          .containsExactly(List.of(1.0, "007"), List.of(2.0, "010"));
      assertThat(rows(cached(dataset))).containsExactly(List.of(1L, 7L), List.of(2L, 10L));
    }

    @Test
    void sameColumnUnderACastIsRead() throws IOException {
      StructuredDataset numbers = parquet(1);
      List<List<Object>> plain = rows(numbers);
      assertThat(rows(cached(numbers))).isEqualTo(plain);
      StructuredDataset cast = numbers.castLossy("id", FLOAT64);
      assertThat(rows(cached(cast))).isEqualTo(rows(cast)).isNotEqualTo(plain);
      assertThat(rows(cached(numbers))).isEqualTo(plain);
    }

    @Test
    void sameColumnWithOtherOptionsOfTheFormatIsRead() throws IOException {
      StructuredDataset dataset = csv("a.csv", "a,b\n1,'x'\n2,NA\n3,'NA'\n");
      List<Map<String, String>> options =
          List.of(
              Map.of(),
              Map.of("quote", "'"),
              Map.of("null", "NA"),
              Map.of("quote", "'", "null", "NA"),
              Map.of("quote", "'", "null", "NA,1"),
              Map.of("null", "NA, quote='"),
              Map.of("header", "false"),
              Map.of("header", "false", "skip-rows", "1"),
              Map.of("names", "b,a"),
              Map.of("delimiter", "|"),
              Map.of("comment", "2"));
      List<String> expected = new ArrayList<>();
      for (boolean isCached : new boolean[] {false, true, true}) {
        for (int i = 0; i < options.size(); i++) {
          StructuredDataset wanted = dataset;
          for (Map.Entry<String, String> option : options.get(i).entrySet()) {
            wanted = wanted.formatOption(option.getKey(), option.getValue());
          }
          if (isCached) {
            assertThat(outcome(cached(wanted))).as("%s", options.get(i)).isEqualTo(expected.get(i));
          } else {
            expected.add(outcome(wanted));
          }
        }
      }
      // The null that is not in the file makes no difference, and is no option `quote` either.
      assertThat(expected.stream().distinct()).hasSize(options.size() - 1);
    }

    @Test
    void nullsAreAnErrorWhereTheyAreNotAllowed() throws IOException {
      Files.writeString(files.resolve("a.jsonl"), "{\"l\":[1,null],\"s\":{\"a\":null}}\n");
      StructuredDataset dataset = new StructuredDataset(files.toString());
      for (boolean nullable : new boolean[] {true, false}) {
        Schema lists = Schema.of(List.of(new Field("l", new DataType.List(INT64, nullable), true)));
        Schema structs =
            Schema.of(
                List.of(
                    new Field(
                        "s", new DataType.Struct(List.of(new Field("a", TEXT, nullable))), true)));
        for (Schema schema : List.of(lists, structs)) {
          StructuredDataset stated = dataset.schemaFrom(schema);
          String expected = outcome(stated);
          assertThat(expected.startsWith("[")).isEqualTo(nullable);
          assertThat(outcome(cached(stated))).isEqualTo(expected);
        }
      }
    }

    private String outcome(StructuredDataset dataset) {
      try {
        return dataset.schema().names() + " " + rows(dataset);
      } catch (UncheckedIOException e) {
        return e.getMessage();
      }
    }

    @Test
    void columnsThatATableRenamesAreThoseOfTheTable() throws IOException {
      Schema schema =
          Schema.of(List.of(new Field("id", INT64, false), new Field("n", INT64, false)));
      List<List<Object>> rows = new ArrayList<>();
      for (long i = 0; i < 20; i++) {
        rows.add(List.of(i, 1_000 + i));
      }
      Table table = new Table(schema, List.of(new Table.DataFile("part-0", List.of(rows))));
      new DeltaFiles(null).dataset(files, table, new Random(1));
      assertThat(rows(cached(DeltaDataset.table(files.toString()).dataset()))).isEqualTo(rows);
      Path log = files.resolve("_delta_log");
      String renamed =
          Files.readAllLines(log.resolve("0".repeat(20) + ".json")).stream()
              .filter(line -> line.startsWith("{\"metaData\""))
              .findFirst()
              .orElseThrow()
              .replace("\\\"name\\\":\\\"id\\\"", "\\\"name\\\":\\\"?\\\"")
              .replace("\\\"name\\\":\\\"n\\\"", "\\\"name\\\":\\\"id\\\"")
              .replace("\\\"name\\\":\\\"?\\\"", "\\\"name\\\":\\\"n\\\"");
      Files.writeString(log.resolve("0".repeat(19) + "1.json"), renamed + "\n");
      List<List<Object>> swapped = rows(DeltaDataset.table(files.toString()).dataset());
      assertThat(swapped).isEqualTo(rows); // the columns are in another order, with other names
      StructuredDataset later = DeltaDataset.table(files.toString()).dataset();
      assertThat(later.schema().names()).containsExactly("n", "id");
      assertThat(rows(cached(later))).isEqualTo(swapped);
      assertThat(rows(cached(later.columns("id"))))
          .isEqualTo(rows.stream().map(row -> List.of(row.get(1))).toList());
    }
  }

  @Nested
  class WhereItCannotBe {
    private StructuredDataset dataset;

    @BeforeEach
    void write() throws IOException {
      dataset = csv("a.csv", "id\n1\n");
    }

    @Test
    void folderThatCannotBeMadeIsAnError() throws IOException {
      Path file = Files.writeString(folder.resolve("file"), "");
      for (Path wrong : List.of(file, file.resolve("below"), file.resolve("far/below"))) {
        assertThatThrownBy(() -> rows(dataset.cache(wrong.toString(), "1GiB")))
            .isInstanceOf(UncheckedIOException.class)
            .message()
            .startsWith("Cannot use '" + wrong + "' as a cache: ")
            .doesNotContain("Exception")
            .endsWith("Name a folder that can be made and written, or leave the cache out.");
      }
      assertThat(Files.readString(file)).isEmpty();
    }

    @Test
    void folderIsMadeWithThoseAboveIt() {
      Path deep = folder.resolve("a/b/c");
      assertThat(rows(dataset.cache(deep.toString(), "1GiB"))).containsExactly(List.of(1L));
      assertThat(new CacheDisk(deep).segments()).isNotEmpty();
    }

    @Test
    void nothingIsMadeBeforeFilesAreRead() {
      var _ = dataset.cache(cache.toString(), "1GiB").columns("id").where("id > 0");
      assertThat(cache).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "much", "-1", "1 XiB", "10 %", "1e9", "0x10"})
    void sizeThatIsNoSizeIsAnError(String size) {
      assertThatThrownBy(() -> dataset.cache(cache.toString(), size))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Cannot read '"
                  + size
                  + "' as a size: expected a number and a unit, such as '128MiB'.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "1MB", "1023 KiB", "0.99MiB"})
    void sizeBelowOneMebibyteIsAnError(String size) {
      assertThatThrownBy(() -> dataset.cache(cache.toString(), size))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "The size of a cache must be at least 1 MiB, got '"
                  + size
                  + "'. Give it more, or"
                  + " leave the cache out.");
    }

    @Test
    void pathThatIsNoPathIsAnError() {
      assertThatThrownBy(() -> dataset.cache("a\0b", "1GiB"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
