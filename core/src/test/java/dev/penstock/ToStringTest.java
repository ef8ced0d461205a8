package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Tensor;
import dev.penstock.data.Datasets;
import dev.penstock.data.MapDataset;
import dev.penstock.options.LoaderOptions;
import dev.penstock.options.MapOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a REPL shows of the objects that a user holds.
class ToStringTest {
  @TempDir Path folder;

  @BeforeEach
  void writeFile() throws IOException {
    Files.writeString(folder.resolve("a.csv"), "id,name,score\n1,x,0.5\n2,y,1.5\n3,z,2.5\n");
  }

  private StructuredDataset dataset() {
    return new StructuredDataset(folder.toString());
  }

  @Test
  void datasetShowsWhatWasAskedUntilItIsOpened() throws IOException {
    StructuredDataset asked = dataset().format("csv").where("id > 1").columns("id", "name");
    Files.delete(folder.resolve("a.csv"));
    assertThat(dataset()).hasToString("StructuredDataset [" + folder + "], not opened yet");
    assertThat(asked)
        .hasToString(
            "StructuredDataset ["
                + folder
                + "], csv, columns [id, name], where id > 1, not opened yet");
    Schema schema = Schema.of(List.of(new Field("id", DataType.int32(), true)));
    assertThat(dataset().schemaFrom(schema))
        .hasToString("StructuredDataset [" + folder + "], columns [id: int32], not opened yet");
    assertThat(dataset().schemaFrom(schema).columns("id", "x"))
        .hasToString("StructuredDataset [" + folder + "], columns [id: int32, x], not opened yet");
  }

  @Test
  void openedDatasetShowsFormatAndColumns() {
    StructuredDataset dataset = dataset();
    assertThat(dataset.columns("name").schema().size()).isEqualTo(1);
    assertThat(dataset)
        .hasToString(
            "StructuredDataset ["
                + folder
                + "], csv, 1 file, columns [id: int64, name: string, score: float64]");
    assertThat(dataset.columns("score"))
        .hasToString("StructuredDataset [" + folder + "], csv, 1 file, columns [score: float64]");
    assertThat(dataset.columns("scoer"))
        .hasToString("StructuredDataset [" + folder + "], csv, 1 file, columns [scoer]");
  }

  @Test
  void datasetShowsNoSecret() {
    StructuredDataset secret =
        dataset()
            .storageOption("proxy-username", "anna")
            .storageOption("proxy-password", "hunter22");
    assertThat(secret).hasToString(dataset().toString());
    try (DataLoader loader = DataLoader.of(secret, o -> o.workers(0))) {
      assertThat(loader.toString()).doesNotContain("hunter22", "anna");
    }
  }

  @Test
  void textIsShortWhateverWasAsked() {
    List<String> names = IntStream.range(0, 5000).mapToObj(i -> "column_" + i).toList();
    String list = names.stream().collect(Collectors.joining("', '", "name in ('", "')"));
    StructuredDataset wide = dataset().columns(names).where(list);
    LoaderOptions options = LoaderOptions.defaults();
    for (String name : names.subList(0, 100)) {
      options = options.nulls(name, NullPolicy.fill(0));
    }
    assertThat(wide.toString()).hasSizeLessThan(1500).contains("column_0, column_1");
    assertThat(options.toString())
        .hasSizeLessThan(1000)
        .contains("column_0 fill:0")
        .contains("more]");
    assertThat(LoaderOptions.defaults().features("x", names).toString())
        .hasSizeLessThan(500)
        .contains("features x [column_0, ");
    try (DataLoader loader = DataLoader.of(wide, options)) {
      assertThat(loader.toString()).hasSizeLessThan(2500);
    }
  }

  @Test
  void wideTableShowsItsFirstColumns() throws IOException {
    List<String> names = IntStream.range(0, 900).mapToObj(i -> "c" + i).toList();
    String ones = "1,".repeat(899) + "1";
    Files.writeString(folder.resolve("a.csv"), String.join(",", names) + "\n" + ones + "\n");
    StructuredDataset wide = dataset();
    assertThat(wide.schema().toString()).startsWith("[c0: int64, ").endsWith(", c899: int64]");
    assertThat(wide.schema().summary())
        .startsWith("[c0: int64, ")
        .endsWith(" more]")
        .hasSizeLessThan(650);
    assertThat(wide.toString()).endsWith(wide.schema().summary());
    try (RowDataset rows = wide.openRows();
        DataLoader loader = DataLoader.of(wide, o -> o.workers(0));
        Batch batch = loader.iterator().next()) {
      assertThat(rows.toString()).endsWith(wide.schema().summary());
      assertThat(batch.toString())
          .startsWith("Batch of 1 rows [c0: INT64 [1], ")
          .endsWith(" more]")
          .hasSizeLessThan(700);
    }
  }

  @Test
  void optionsShowWhatIsNotTheDefault() {
    int processors = Runtime.getRuntime().availableProcessors();
    LoaderOptions defaults = LoaderOptions.defaults();
    assertThat(defaults)
        .hasToString("LoaderOptions [batchSize 1024, workers auto, at most " + processors + "]");
    assertThat(
            defaults
                .batchSize(8)
                .dropLast(true)
                .stepsPerEpoch(5)
                .workers(2)
                .prefetchFactor(3)
                .timeout(Duration.ofSeconds(5))
                .shuffle(Shuffle.window(100))
                .seed(42)
                .inOrder(false)
                .rank(new Rank(0, 2))
                .countMatches(false)
                .memory("64MiB"))
        .hasToString(
            "LoaderOptions [batchSize 8, dropLast, stepsPerEpoch 5, workers 2, prefetchFactor 3,"
                + " timeout PT5S, shuffle window:100, seed 42, inOrder false, rank 0/2,"
                + " countMatches false, memory 64 MiB]");
    assertThat(
            defaults
                .workers(0)
                .output(OutputFormat.ARRAY)
                .nulls(NullPolicy.error())
                .nulls("id", NullPolicy.fill(7))
                .strings("name", StringEncoding.hash(16))
                .features("x", "id", "score")
                .poisonMemory(true)
                .transform((block, _) -> block))
        .hasToString(
            "LoaderOptions [batchSize 1024, workers 0, poisonMemory, output ARRAY, nulls error,"
                + " nulls id fill:7, strings name hash(16), features x [id, score],"
                + " transform of 65536 rows]");
  }

  @Test
  void loaderShowsDatasetAndOptionsAndThatItIsClosed() {
    DataLoader loader = DataLoader.of(dataset(), o -> o.batchSize(2).workers(0));
    String with = " with [batchSize 2, workers 0]";
    assertThat(loader)
        .hasToString("DataLoader of StructuredDataset [" + folder + "], not opened yet" + with);
    try (EpochIterator<Batch> epoch = loader.iterator()) {
      assertThat(epoch).hasToString("EpochIterator of epoch 0");
    }
    CollatedLoader<Integer> collated =
        loader.collate(batch -> {
          try (batch) {
            return batch.rowCount();
          }
        });
    loader.close();
    assertThat(collated)
        .hasToString(
            "CollatedLoader of DataLoader of StructuredDataset ["
                + folder
                + "], csv, 1 file, columns [id: int64, name: string, score: float64]"
                + with
                + ", closed");
  }

  @Test
  @SuppressWarnings("try") // closed early on purpose
  void loaderOfObjectsShowsNoDatasetOfTheUsersButItsClass() {
    record Endless(long size) implements MapDataset<Long> {
      @Override
      public Long get(long index) {
        return index;
      }

      @Override
      public String toString() {
        throw new AssertionError("not to be called");
      }
    }

    MapOptions<Long, Batch> options =
        MapOptions.<Long>defaults().batchSize(2).shuffle(true).dropLast(true);
    assertThat(options).hasToString("MapOptions [batchSize 2, workers 0, shuffle, dropLast]");
    try (SampleLoader<Long, Batch> mine = DataLoader.of(new Endless(3), options)) {
      assertThat(mine)
          .hasToString("SampleLoader of Endless with [batchSize 2, workers 0, shuffle, dropLast]");
    }
    try (SampleLoader<Long, Batch> loader = DataLoader.of(Datasets.range(5))) {
      assertThat(loader)
          .hasToString("SampleLoader of range of 5 rows with [batchSize 1, workers 0]");
      loader.close();
      assertThat(loader.toString()).endsWith("], closed");
    }
  }

  @Test
  @SuppressWarnings("try") // closed early on purpose
  void batchShowsItsColumnsAndThatItIsClosed() {
    try (DataLoader loader =
            DataLoader.of(dataset(), o -> o.workers(0).features("x", "score", "id"));
        Batch batch = loader.iterator().next()) {
      Tensor x = batch.tensor("x");
      assertThat(batch).hasToString("Batch of 3 rows [name: strings, x: FLOAT32 [3, 2]]");
      assertThat(x).hasToString("Tensor FLOAT32 [3, 2]: [[0.5, 1.0], [1.5, 2.0], [2.5, 3.0]]");
      batch.close();
      assertThat(batch).hasToString("Batch of 3 rows [name: strings, x: FLOAT32 [3, 2]], closed");
      assertThat(x).hasToString("Tensor FLOAT32 [3, 2], closed");
      assertThat(x.row(0)).hasToString("Tensor FLOAT32 [2], closed");
    }
    try (DataLoader loader = DataLoader.of(dataset(), o -> o.output(OutputFormat.ARRAY));
        Batch batch = loader.iterator().next()) {
      assertThat(batch)
          .hasToString("Batch of 3 rows [id: long[3], name: String[3], score: double[3]]");
    }
  }

  @Test
  @SuppressWarnings("try") // closed early on purpose
  void rowsByNumberShowTheirColumns() {
    try (RowDataset rows = dataset().openRows()) {
      String text = "RowDataset of 3 rows, columns [id: int64, name: string, score: float64]";
      assertThat(rows).hasToString(text);
      rows.close();
      assertThat(rows).hasToString(text);
    }
  }

  @Test
  void planShowsCounts() {
    var plan = dataset().plan(LoaderOptions.defaults().workers(1), 3);
    assertThat(plan)
        .hasToString("Plan of epoch 3: 3 rows of 1 files in 1 FileSplits, dealt to 1 readers");
    assertThat(plan.splits().getFirst()).hasToString("Split of 1 FileSplits, 3 rows");
    assertThat(plan.files().getFirst())
        .hasToString(folder.resolve("a.csv") + ": 3 rows in 1 row groups, 38 B");
  }
}
