package dev.penstock.blackbox.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.arrow.ArrowBatches;
import dev.penstock.batch.Tensor;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.device.DevicePrefetcher;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.testing.English;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.Data;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// The README and the guides show the code that is run here, and nothing else.
///
/// After a region of [ReadmeSnippets] was changed, `-Dpenstock.snippets=write` puts it into the
/// texts. [CookbookSnippets] are run by a test of their own.
@ExtendWith(English.class)
class SnippetsTest {
  private static final Path ROOT =
      Path.of(Objects.requireNonNullElse(System.getProperty("penstock.root"), ".."));
  private static final Pattern REGION =
      Pattern.compile("(?ms)^ *// @start region=(\\S+)\\n(.*?)^ *// @end$");
  private static final Pattern BLOCK =
      Pattern.compile(
          "(?ms)(?:^<!-- snippet: (\\S+) -->\\n)?^```(java|kotlin|scala|jshell)\\n(.*?)^```$");

  /// [CsvToModelTest] runs that of the tutorial, [ReadmeTest] that of the README, tests of their
  /// modules those of other modules, and those of `languages` the other scripts.
  private static final List<String> SOURCES =
      List.of(
          "blackbox/src/test/java/dev/penstock/blackbox/docs/ReadmeSnippets.java",
          "blackbox/src/test/java/dev/penstock/blackbox/docs/CookbookSnippets.java",
          "blackbox/src/test/java/dev/penstock/blackbox/docs/FirstTraining.java",
          "blackbox/src/test/java/dev/penstock/blackbox/docs/CsvToModel.java",
          "blackbox/src/test/java/dev/penstock/blackbox/docs/LossPlot.java",
          "blackbox/src/test/java/dev/penstock/blackbox/cases/WorkerLocalTest.java",
          "blackbox/src/test/java/dev/penstock/blackbox/cases/WorkersAsTorchTest.java",
          "examples/src/main/java/dev/penstock/examples/PortedTraining.java",
          "examples/src/main/java/dev/penstock/examples/TrainWithXgboost.java",
          "examples/src/main/java/dev/penstock/examples/Predictions.java",
          "spark/src/test/java/dev/penstock/spark/SparkSnippets.java",
          "metrics/src/test/java/dev/penstock/metrics/MetricsSnippets.java",
          "cli/src/test/java/dev/penstock/cli/ReportSnippets.java",
          "consumers/src/service/FlightService.java",
          "examples/scripts/MeanDelay.java",
          "examples/scripts/ReadFlights.java",
          "examples/scripts/first-look.jsh",
          "languages/src/test/kotlin/dev/penstock/languages/KotlinFlights.kt",
          "languages/src/test/kotlin/dev/penstock/languages/KotlinRows.kt",
          "languages/src/test/scala/dev/penstock/languages/ScalaFlights.scala",
          "languages/src/test/scala/dev/penstock/languages/ScalaRows.scala");

  /// The sample that a clone has, copied as the README says: 300,000 rows in 8 files. Sums and
  /// counts of it were taken with pyarrow 26.
  private static final Path SAMPLE =
      ROOT.resolve("cli/src/main/resources/dev/penstock/cli/demo/flights");

  private static final Path FLIGHTS = Path.of("data/flights");
  private static final int ROWS = 300_000;
  private static final long MILES = 220_046_428;
  private static final long MINUTES = 2_023_783;
  private static final int LATE = 62_785; // by 15 minutes or more
  private static final Path WEATHER = Path.of("data/weather/part-0.parquet");
  private static final List<Path> SALES =
      List.of(
          Path.of("data/sales/year=2001/part-0.parquet"),
          Path.of("data/sales/year=2002/part-0.parquet"));
  private static final Path ARTICLES = Path.of("data/articles/part-0.parquet");

  @BeforeAll
  static void writeData() throws IOException {
    copySample();
    Folder folder = new Folder(Path.of(""));
    DataType int32 = new DataType.Int(32, true);
    Schema weather =
        Schema.of(List.of(new Field("wind", int32, true), new Field("gusts", int32, true)));
    folder.write(
        WEATHER.toString(),
        weather,
        List.of(Arrays.asList(1, null), List.of(2, 30), List.of(3, 40)));
    writeArticles(folder);
    writeSales(folder);
  }

  private static void copySample() throws IOException {
    Files.createDirectories(FLIGHTS);
    for (int file = 0; file < 8; file++) {
      String name = "part-" + file + ".parquet";
      Files.copy(SAMPLE.resolve(name), FLIGHTS.resolve(name));
    }
  }

  /// Two years: the first without currencies and in other types, the second with a name in
  /// capitals.
  private static void writeSales(Folder folder) throws IOException {
    DataType float64 = new DataType.Floating(64);
    Schema first =
        Schema.of(
            List.of(
                new Field("price", new DataType.Floating(32), false),
                new Field("count_sold", new DataType.Int(16, true), false)));
    Schema second =
        Schema.of(
            List.of(
                new Field("COUNT_SOLD", new DataType.Int(64, true), false),
                new Field("price", float64, false),
                new Field("currency", new DataType.Utf8(), false)));
    folder.write(SALES.get(0).toString(), first, List.of(List.of(0.5f, 10)));
    folder.write(SALES.get(1).toString(), second, List.of(List.of(20L, 2.0, "CHF")));
  }

  /// Article `i` has embedding `[i, ..., i]`, and as many tokens 1 as `i` has tens.
  private static void writeArticles(Folder folder) throws IOException {
    DataType source = new DataType.Struct(List.of(new Field("site", new DataType.Utf8(), true)));
    Schema articles =
        Schema.of(
            List.of(
                new Field("embedding", new DataType.List(new DataType.Floating(32), false), false),
                new Field("tokens", new DataType.List(new DataType.Int(32, true), false), false),
                new Field("label", new DataType.Int(64, true), false),
                new Field("source", source, true)));
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      List<Object> embedding = Collections.nCopies(16, (float) i);
      rows.add(
          List.of(embedding, Collections.nCopies(i / 10, 1), 1L, Map.of("site", "example.org")));
    }
    folder.write(ARTICLES.toString(), articles, rows);
  }

  @AfterAll
  static void deleteData() throws IOException {
    for (int file = 0; file < 8; file++) {
      Files.delete(FLIGHTS.resolve("part-" + file + ".parquet"));
    }
    Files.delete(FLIGHTS);
    for (Path file : List.of(WEATHER, ARTICLES)) {
      Files.delete(file);
      Files.delete(file.getParent());
    }
    for (Path file : SALES) {
      Files.delete(file);
      Files.delete(file.getParent());
    }
    Files.delete(Path.of("data/sales"));
    Files.delete(Path.of("data"));
  }

  private static Map<String, String> regions() throws IOException {
    Map<String, String> regions = new TreeMap<>();
    for (String source : SOURCES) {
      Matcher region = REGION.matcher(Files.readString(ROOT.resolve(source)));
      while (region.find()) {
        regions.put(region.group(1), region.group(2).stripTrailing().stripIndent() + "\n");
      }
    }
    return regions;
  }

  private static List<Path> texts() throws IOException {
    List<Path> texts = new ArrayList<>();
    texts.add(ROOT.resolve("README.md"));
    if (Files.isDirectory(ROOT.resolve("docs"))) {
      try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
        docs.filter(path -> path.toString().endsWith(".md")).sorted().forEach(texts::add);
      }
    }
    return texts;
  }

  @Test
  void codeInTheTextsIsTheCodeThatRuns() throws IOException {
    Map<String, String> regions = regions();
    Set<String> shown = new TreeSet<>();
    for (Path path : texts()) {
      String text = Files.readString(path);
      if ("write".equals(System.getProperty("penstock.snippets"))) {
        text =
            BLOCK
                .matcher(text)
                .replaceAll(block -> Matcher.quoteReplacement(written(block, regions)));
        Files.writeString(path, text);
      }
      Matcher block = BLOCK.matcher(text);
      while (block.find()) {
        assertThat(regions)
            .as(
                "%s: a block of code needs <!-- snippet: NAME --> before it; it is %s",
                path, block.group())
            .containsKey(String.valueOf(block.group(1)));
        assertThat(block.group(3))
            .as("%s, snippet %s; -Dpenstock.snippets=write renews it", path, block.group(1))
            .isEqualTo(regions.get(block.group(1)));
        shown.add(block.group(1));
      }
    }
    assertThat(shown).as("regions that a text shows").isEqualTo(regions.keySet());
  }

  private static String written(java.util.regex.MatchResult block, Map<String, String> regions) {
    String code = regions.get(String.valueOf(block.group(1)));
    return code == null
        ? block.group()
        : "<!-- snippet: " + block.group(1) + " -->\n```" + block.group(2) + "\n" + code + "```";
  }

  @Test
  void textIsReadInTheTypesThatAreStated() throws IOException {
    Path file = Path.of("data/prices/part-0.csv");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "zip;price\n00501;1,5\nNA;2\n");
    try {
      assertThat(new ReadmeSnippets().csv()).hasToString("[[00501, 1,5], [null, 2]]");
    } finally {
      Files.delete(file);
      Files.delete(file.getParent());
    }
  }

  @Test
  void quickStartTrainsOnEveryRowInEveryEpoch() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.quickStart();
    assertThat(snippets.rows).isEqualTo(3 * ROWS);
    assertThat(snippets.sum).isEqualTo(3 * MILES);
  }

  /// The tutorial shows just what its program prints.
  @Test
  void firstTrainingPrintsWhatTheTutorialShows() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(out, true, UTF_8));
    try {
      FirstTraining.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    assertThat(Files.readString(ROOT.resolve("docs/tutorial/getting-started.md")))
        .contains("```\n" + out.toString(UTF_8) + "```\n");
  }

  @Test
  void stoppedTrainingGoesOnWithTheNextBatch() throws IOException {
    ReadmeSnippets whole = new ReadmeSnippets();
    whole.resume();
    Files.delete(Path.of("data/state.json"));
    ReadmeSnippets first = new ReadmeSnippets();
    first.rowsMax = 400_000;
    assertThatThrownBy(first::resume).hasMessage("power cut");
    ReadmeSnippets second = new ReadmeSnippets();
    second.resume();
    Files.delete(Path.of("data/state.json"));
    assertThat(first.rows).isBetween(400_000L, 400_511L);
    assertThat(first.rows + second.rows).isEqualTo(whole.rows).isEqualTo(3 * ROWS);
    assertThat(first.sum + second.sum).isEqualTo(whole.sum);
  }

  @Test
  void datasetInAnObjectStoreOpensNothingUntilAsked() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.objectStores();
    snippets.delta();
    snippets.iceberg();
    assertThat(snippets.texts)
        .containsExactly(
            "s3://lake/flights/",
            "DeltaDataset s3://lake/flights, version 12, not opened yet",
            "IcebergDataset db.flights, snapshot of training, not opened yet");
  }

  @Test
  void memoryIsWithinWhatWasSet() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.memory();
    assertThat(snippets.rows).isEqualTo(ROWS);
    long bytes = Long.parseLong(snippets.texts.getFirst().replace(" bytes at most", ""));
    assertThat(bytes).isBetween(1L, 64L << 20);
  }

  @Test
  void statsNameTheBottleneckAndEachWorker() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.stats();
    assertThat(snippets.rows).isEqualTo(ROWS);
    assertThat(snippets.texts).hasSize(3);
    assertThat(snippets.texts.get(0)).contains("bottleneck");
    assertThat(snippets.texts.get(2)).startsWith("WorkerStats[worker=1, isParked=false, times=");
  }

  @Test
  void rankHasItsShareAndStatesOfRanksTogetherAreTheEpoch() throws IOException {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.ranks();
    assertThat(snippets.rows).isEqualTo(ROWS / 4);
    assertThat(snippets.sum).isEqualTo(55_070_466); // of rows [75000, 150000)
    assertThat(snippets.texts).containsExactly("147 steps");
    ReadmeSnippets merged = new ReadmeSnippets();
    merged.merge();
    assertThat(merged.rows).isEqualTo(ROWS);
    for (int rank = 0; rank < 4; rank++) {
      Files.delete(Path.of("data/state-" + rank + ".json"));
    }
  }

  @Test
  void filtersChooseTheSameRowsInBothForms() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.filters();
    assertThat(snippets.rows).isEqualTo(2 * 7332);
  }

  @Test
  void arrowVectorsGiveLabelsAndTokens() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.arrow();
    assertThat(snippets.rows).isEqualTo(1000);
    assertThat(snippets.sum).isEqualTo(10 * (99 * 100 / 2));
  }

  @Test
  void exportedArrowBatchesGiveAllRows() {
    MemorySegment array = Arena.ofAuto().allocate(80, 8);
    MemorySegment schema = Arena.ofAuto().allocate(72, 8);
    List<Integer> rows = new ArrayList<>();
    new ReadmeSnippets()
        .arrowCData(
            array,
            schema,
            () -> {
              try (VectorSchemaRoot root =
                  Data.importVectorSchemaRoot(
                      ArrowBatches.allocator(),
                      ArrowArray.wrap(array.address()),
                      ArrowSchema.wrap(schema.address()),
                      null)) {
                rows.add(root.getRowCount());
              }
            });
    assertThat(rows).containsExactly(512, 488);
  }

  @Test
  void gpuTrainsOnEveryRowOrThereIsNone() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    if (DevicePrefetcher.devices() > 0) {
      snippets.device(0);
      assertThat(snippets.rows).isEqualTo(3 * ROWS);
    } else {
      assertThatThrownBy(() -> snippets.device(0)).hasMessageStartingWith("Cannot use a GPU: ");
    }
  }

  @Test
  void rowsHaveNumbers() throws IOException {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.rowsByNumber();
    assertThat(snippets.sum).isEqualTo(357 + 2176 + 357);
    assertThat(snippets.texts).containsExactly("641 from LAS");
  }

  @Test
  void featuresGiveMatrixAndOtherColumns() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.features();
    assertThat(snippets.rows).isEqualTo(ROWS);
    assertThat(snippets.sum).isEqualTo(MILES + MINUTES);
  }

  @Test
  void elementsRowsAndACopyOfAMatrixAgree() {
    float[] x = new float[8 * 2];
    x[7 * 2] = 719;
    x[7 * 2 + 1] = -3;
    assertThat(new ReadmeSnippets().elements(Tensor.of(x, 8, 2))[7]).containsExactly(719, -3);
  }

  @Test
  void nullsAreTold() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.nulls();
    assertThat(snippets.sum).isEqualTo(70);
  }

  @Test
  void nullsOfOneColumnAreFilled() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.columnNulls();
    assertThat(snippets.sum).isEqualTo(69);
  }

  @Test
  void stringsHaveCodes() throws IOException {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.strings();
    assertThat(snippets.rows).isEqualTo(ROWS);
    assertThat(snippets.sum).isEqualTo(34_806_952);
    assertThat(snippets.texts).hasSize(228).startsWith("ABE").endsWith("YAK").isSorted();
    snippets.sum = 0;
    snippets.vocabulary();
    assertThat(snippets.sum).isEqualTo(554_239); // ATL once, all but ORD and ATL twice
    snippets.forms();
    assertThat(snippets.options()).isEqualTo(512);
  }

  @Test
  void embeddingsAreOneBlock() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.embeddings();
    assertThat(snippets.rows).isEqualTo(1000);
    assertThat(snippets.sum).isEqualTo(16 * 499_500);
  }

  @Test
  void raggedListsHaveEveryElement() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.ragged();
    assertThat(snippets.rows).isEqualTo(1000);
    assertThat(snippets.sum).isEqualTo(10 * 4950);
  }

  @Test
  void filesOfTwoSchemasAreOneTable() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.schema();
    assertThat(snippets.rows).isEqualTo(2);
    assertThat(snippets.sum).isEqualTo(0.5 * 10 + 2.0 * 20);
    assertThat(snippets.currencies).containsExactly("EUR", "CHF");
  }

  @Test
  void foldersAreColumns() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.partitions();
    assertThat(snippets.rows).isEqualTo(2);
    assertThat(snippets.sum).isEqualTo(2.5);
  }

  @Test
  void transformMakesTheLabel() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.transform();
    assertThat(snippets.rows).isEqualTo(ROWS);
    assertThat(snippets.sum).isEqualTo(LATE);
  }

  @Test
  void fittedTransformsCentreTheDistances() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.readyTransforms();
    assertThat(snippets.rows).isEqualTo(ROWS);
    // Distances sum up to 0, delays reach from -84 to 1429, and each row has one origin.
    double delays = (MINUTES + 84.0 * ROWS) / (1429 + 84);
    assertThat(snippets.sum).isCloseTo(delays + ROWS, within(1.0));
  }

  @Test
  void collatedMeansAreThoseOfTheRows() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.collate();
    assertThat(snippets.rows).isEqualTo(ROWS);
    assertThat(snippets.sum).isCloseTo(MILES, within(1e-3));
  }

  @Test
  void ownStrategyHasEveryRow() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.ownStrategy();
    assertThat(snippets.rows).isEqualTo(ROWS);
  }

  @Test
  void constructorPathDropsTheShortBatch() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.constructor();
    assertThat(snippets.rows).isEqualTo(ROWS / 256 * 256);
  }

  @Test
  void recordsBecomeBatches() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.samples();
    assertThat(snippets.rows).isEqualTo(3000);
    assertThat(snippets.sum).isCloseTo(3 * 499.5, within(1e-3));
  }

  @Test
  void orderIsTorchs() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.torchOrder();
    assertThat(snippets.order).containsExactly(8L, 0L, 9L, 1L, 4L, 5L, 6L, 3L, 2L, 7L);
  }

  @Test
  void rowsComeAloneAndByKey() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.eachRow();
    assertThat(snippets.sum).isEqualTo(6);
    snippets.byKey();
    assertThat(snippets.order).containsExactly(77L, 36L);
  }

  @Test
  void coverageTellsWhetherWorkersShare() {
    ReadmeSnippets snippets = new ReadmeSnippets();
    snippets.coverage();
    assertThat(snippets.texts.get(0)).startsWith("Not every row once: 200 rows delivered of 100");
    assertThat(snippets.texts.get(1)).isEqualTo("Every row once: 100 rows delivered of 100.");
  }

  @Test
  void tensorThatIsKeptCannotBeRead() {
    assertThatThrownBy(() -> new ReadmeSnippets().keptTensor())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Cannot use this batch: it is closed");
  }

  @Test
  void copiesAndOpenBatchesStay() {
    ReadmeSnippets copies = new ReadmeSnippets();
    copies.keptCopy();
    assertThat(copies.rows).isEqualTo(ROWS);
    assertThat(copies.sum).isEqualTo(MINUTES);
    ReadmeSnippets windows = new ReadmeSnippets();
    windows.keptBatches();
    assertThat(windows.rows).isEqualTo(584 * 512); // 586 batches are 73 windows and 2 more
  }
}
