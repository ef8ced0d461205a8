package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.arrow.ArrowBatches;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Tensor;
import dev.penstock.blackbox.contract.Leaks;
import dev.penstock.blackbox.contract.Workers;
import dev.penstock.filter.Filter;
import dev.penstock.format.MemoryLimitException;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.ByteSize;
import dev.penstock.split.Shuffle;
import dev.penstock.stats.BatchQueue;
import dev.penstock.stats.LoaderStats;
import dev.penstock.testing.Ring;
import dev.penstock.testing.Seeded;
import dev.penstock.transform.Transform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The memory that a loader may take bounds all it does, whatever it does, and changes no batch.
class MemoryBudgetTest {
  private static final int FILES = 5;
  private static final int ROWS_PER_FILE = 30_000;

  /// What a row of a batch may take, with masks and rounding: 8 doubles, a number, a text and a
  /// list.
  private static final long ROW_BYTES_MAX = 400;

  @TempDir private static Path folder;

  /// Five files of 30,000 rows, about 100 bytes each; pages of 32 KiB, but in the fourth file of
  /// 256 KiB.
  @BeforeAll
  static void write() throws IOException {
    MessageType schema =
        MessageTypeParser.parseMessageType(
            "message m { required int64 row; required double a; required double b; required double"
                + " c; required double d; required double e; required double f; optional binary"
                + " text (UTF8); required group list (LIST) { repeated group list { required int32"
                + " element; } } }");
    for (int file = 0; file < FILES; file++) {
      try (ParquetWriter<Group> writer =
          ExampleParquetWriter.builder(new LocalOutputFile(folder.resolve(file + ".parquet")))
              .withConf(new PlainParquetConfiguration())
              .withType(schema)
              .withCompressionCodec(CompressionCodecName.SNAPPY)
              .withRowGroupSize(1L << 20)
              .withPageSize(file == 3 ? 256 << 10 : 32 << 10)
              .withDictionaryEncoding(false)
              .build()) {
        for (int row = 0; row < ROWS_PER_FILE; row++) {
          writer.write(row(schema, (long) file * ROWS_PER_FILE + row));
        }
      }
    }
  }

  private static Group row(MessageType schema, long row) {
    SimpleGroup group = new SimpleGroup(schema);
    group.add("row", row);
    for (String column : List.of("a", "b", "c", "d", "e", "f")) {
      group.add(column, row * 1.7 + column.charAt(0));
    }
    if (row % 7 > 0) {
      group.add("text", "text " + row);
    }
    Group list = group.addGroup("list");
    for (int i = 0; i < row % 5; i++) {
      list.addGroup(0).add(0, (int) row + i);
    }
    return group;
  }

  private static final Transform TWICE =
      (block, _) -> {
        int[] rows = new int[2 * block.rowCount()];
        for (int i = 0; i < rows.length; i++) {
          rows[i] = i / 2;
        }
        return block.take(rows);
      };

  /// What an epoch delivered, and what the filter left out.
  private record Outcome(long digest, long batches, long rows, long skipped, long peak) {}

  /// Behind a filter the epoch comes again, with the same rows: it is known then which match.
  private static Outcome epoch(StructuredDataset dataset, LoaderOptions options, Random pauses) {
    DataLoader loader = DataLoader.of(dataset, options);
    Outcome outcome;
    try (loader) {
      outcome = epoch(loader, pauses);
      if (dataset.filter().isPresent()) {
        loader.setEpoch(0);
        Outcome again = epoch(loader, pauses);
        assertThat(again.digest).isEqualTo(outcome.digest);
        assertThat(again.skipped).isEqualTo(outcome.skipped);
        outcome = again; // with the peak of both
      }
    }
    Leaks.assertNone(loader, folder);
    return outcome;
  }

  private static Outcome epoch(DataLoader loader, Random pauses) {
    long digest = 0;
    try (EpochIterator<Batch> batches = loader.iterator()) {
      while (batches.hasNext()) {
        try (Batch batch = batches.next()) {
          digest = digest * 31 + digest(batch);
          for (int turns = pauses.nextInt(8) == 0 ? 20_000 : 0; turns > 0; turns--) {
            Thread.onSpinWait();
          }
        }
      }
    }
    LoaderStats stats = loader.stats();
    return new Outcome(
        digest,
        stats.batches(),
        stats.rows(),
        stats.read().skipped().total(),
        stats.memory().peakBytes());
  }

  private static long digest(Batch batch) {
    if (batch.names().contains("row") && batch.column("row") instanceof Tensor rows) {
      long digest = rows.shape().dim(0);
      for (int i = 0; i < rows.shape().dim(0); i++) {
        digest = digest * 31 + rows.getLong(i);
      }
      if (batch.column("list") instanceof RaggedTensor lists) {
        for (long i = 0; i < lists.values().shape().dim(0); i++) {
          digest = digest * 31 + lists.values().getLong(i);
        }
      }
      return digest * 31 + batch.column("text").hashCode();
    }
    return ArrowBatches.root(batch).contentToTSVString().hashCode();
  }

  private static LoaderOptions random(Random random) {
    LoaderOptions options =
        LoaderOptions.defaults()
            .batchSize(1 + random.nextInt(random.nextBoolean() ? 40_000 : 3_000))
            .seed(random.nextLong())
            .output(random.nextInt(4) == 0 ? OutputFormat.ARROW : OutputFormat.TENSOR)
            .shuffle(
                switch (random.nextInt(3)) {
                  case 0 -> Shuffle.none();
                  case 1 -> Shuffle.splits();
                  default -> Shuffle.window(1 + random.nextInt(20_000)).interleave(2);
                });
    return random.nextInt(4) == 0 ? options.transform(TWICE, 1 + random.nextInt(9_000)) : options;
  }

  private static StructuredDataset dataset(Random random) {
    StructuredDataset dataset = new StructuredDataset(folder.toString());
    return random.nextInt(3) == 0
        ? dataset.filter(Filter.parse("a > 9000.0 or text is null"))
        : dataset;
  }

  private static UnaryOperator<LoaderOptions> workers(Random random) {
    return options -> options.workers(random.nextInt(9)).prefetchFactor(1 + random.nextInt(4));
  }

  /// Goes up from almost nothing by what each error says is needed at least.
  @Seeded(runs = 16)
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void theLeastThatIsSaidToWorkWorksAndHolds(Random random) {
    StructuredDataset dataset = dataset(random);
    LoaderOptions options = random(random);
    Outcome expected = epoch(dataset, options.workers(1).memory("2GiB"), new Random(0));
    LoaderOptions changed = workers(random).apply(options);
    List<Long> tried = new ArrayList<>();
    long budget = random.nextLong(1, 1 << 20);
    Outcome outcome = null;
    while (outcome == null) {
      tried.add(budget);
      assertThat(tried).as("budgets tried").hasSizeLessThan(12);
      try {
        outcome = epoch(dataset, changed.memory(new ByteSize(budget)), random);
      } catch (MemoryLimitException e) {
        long least = e.leastBytes();
        assertThat(least).isGreaterThan(budget);
        assertThat(e).hasMessageContaining("at least " + least + " bytes");
        budget = least;
      }
    }
    assertThat(outcome.digest()).as("%s", tried).isEqualTo(expected.digest());
    assertThat(outcome.skipped()).as("%s", tried).isEqualTo(expected.skipped());
    long consumers = Math.min(changed.batching().size(), expected.rows()) * ROW_BYTES_MAX;
    assertThat(outcome.peak()).as("%s", tried).isLessThanOrEqualTo(budget + consumers);
  }

  /// A batch takes what its rows take, and what does not fit at once is read in smaller slices:
  /// what is needed does not depend on how far workers happened to be.
  @ParameterizedTest
  @CsvSource({"0, 10, 50", "1, 10, 50", "2, 10, 50", "4, 10, 50", "1, 100, 0", "4, 100, 0"})
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void smallBatchesNeedLittle(int workers, int batchSize, int window) {
    StructuredDataset dataset = new StructuredDataset(folder.resolve("0.parquet").toString());
    LoaderOptions options =
        LoaderOptions.defaults()
            .batchSize(batchSize)
            .workers(workers)
            .shuffle(window == 0 ? Shuffle.none() : Shuffle.window(window));
    Outcome expected = epoch(dataset, options.workers(1), new Random(0));
    long bytes = 1792 << 10;
    Outcome outcome = epoch(dataset, options.memory(new ByteSize(bytes)), new Random(0));
    assertThat(outcome.digest()).isEqualTo(expected.digest());
    assertThat(outcome.peak()).isLessThanOrEqualTo(bytes + batchSize * ROW_BYTES_MAX);
  }

  /// What the consumer holds is its own: 15 MB here, beside a loader that may take 5.
  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void batchesThatTheConsumerKeepsAreNotTheLoaders() {
    List<Batch> kept = new ArrayList<>();
    try (DataLoader loader =
        DataLoader.of(
            new StructuredDataset(folder.toString()),
            o -> o.workers(2).batchSize(1_000).memory("5MiB"))) {
      for (Batch batch : loader) {
        kept.add(batch);
      }
      assertThat(loader.stats().memory().bytes()).isGreaterThan(2 * (5 << 20));
      long row = 0;
      for (Batch batch : kept) {
        assertThat(batch.tensor("row").getLong(0)).isEqualTo(row);
        row += 1_000;
        batch.close();
      }
      assertThat(row).isEqualTo(FILES * ROWS_PER_FILE);
    }
  }

  /// Workers that take turns, and batches by arrival, have a first as well.
  @ParameterizedTest
  @CsvSource({"true, false, 3", "true, true, 2", "false, true, 2", "false, true, 8"})
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void otherOrdersKeepToTheMemory(boolean splits, boolean arrival, int workers) {
    StructuredDataset dataset = new StructuredDataset(folder.toString()).splitRows(20_000);
    long sum = 0;
    long bytes = 5 << 20;
    try (DataLoader loader =
        DataLoader.of(
            dataset,
            o ->
                o.workers(workers)
                    .splitPerWorker(splits)
                    .inOrder(!arrival)
                    .batchSize(700)
                    .memory(new ByteSize(bytes)))) {
      for (Batch batch : loader) {
        try (batch) {
          Tensor rows = batch.tensor("row");
          for (int i = 0; i < rows.shape().dim(0); i++) {
            sum += rows.getLong(i);
          }
        }
      }
      assertThat(loader.stats().memory().peakBytes()).isLessThan(bytes + 700 * ROW_BYTES_MAX);
    }
    long all = (long) FILES * ROWS_PER_FILE;
    assertThat(sum).isEqualTo(all * (all - 1) / 2);
  }

  /// Prints what an epoch of `args[0]` with so many workers and so much memory delivers, and the
  /// most memory that the process had.
  static final class Child {
    private Child() {}

    @SuppressWarnings("SystemOut") // to the test
    static void main(String... args) throws IOException {
      StructuredDataset dataset = new StructuredDataset(args[0]);
      try (DataLoader loader =
          DataLoader.of(
              dataset, o -> o.workers(Integer.parseInt(args[1])).batchSize(500).memory(args[2]))) {
        for (Batch batch : loader) {
          batch.close();
        }
        System.out.println(loader.stats().rows() + " " + loader.stats().memory().peakBytes());
      }
      try (Stream<String> status = Files.lines(Path.of("/proc/self/status"))) {
        status.filter(line -> line.startsWith("VmHWM")).forEach(System.out::println);
      }
    }
  }

  static IntStream residentWorkers() {
    return Ring.OUTER.isRunning() ? IntStream.of(1, 2, 8) : IntStream.of(2);
  }

  /// 64 MiB of heap and 8 MiB beside it for 240 MiB of rows. The JVM itself has what is left.
  @EnabledOnOs(OS.LINUX)
  @ParameterizedTest
  @MethodSource("residentWorkers")
  void residentMemoryIsBoundedToo(int workers, @TempDir Path copies) throws Exception {
    for (int copy = 0; copy < 16; copy++) {
      for (int file = 0; file < FILES; file++) {
        Files.createLink(
            copies.resolve(copy + "-" + file + ".parquet"), folder.resolve(file + ".parquet"));
      }
    }
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                copies.toString(),
                Integer.toString(workers),
                "8MiB")
            .redirectErrorStream(true)
            .start();
    String printed = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor()).as(printed).isZero();
    Matcher figures =
        Pattern.compile("([0-9]+) ([0-9]+)\\s+VmHWM:\\s+([0-9]+) kB\\s*").matcher(printed);
    assertThat(figures.find()).as(printed).isTrue();
    assertThat(Long.parseLong(figures.group(1))).isEqualTo(16L * FILES * ROWS_PER_FILE);
    assertThat(Long.parseLong(figures.group(2))).isLessThan((8 << 20) + 500 * ROW_BYTES_MAX);
    assertThat(Long.parseLong(figures.group(3)) >> 10).as("MiB").isLessThan(64 + 8 + 120);
  }

  /// A consumer that keeps every batch does not stop the loader. A quarter of 2 MiB is for objects;
  /// each row has more than 4 KiB of them.
  @ParameterizedTest
  @EnumSource(value = OutputFormat.class, names = "ARROW", mode = EnumSource.Mode.EXCLUDE)
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void objectsAheadAreBounded(OutputFormat output, @TempDir Path texts) throws IOException {
    List<String> lines = new ArrayList<>();
    String text = "x".repeat(1000);
    for (int row = 0; row < 2000; row++) {
      lines.add(
          """
          {"t":"%s%s","l":["%s","%s"],"m":{"k":"%s"},"i":[%s1]}\
          """
              .formatted(text, row, text, text, text, "1,".repeat(20)));
    }
    Files.write(texts.resolve("a.jsonl"), lines);
    for (int workers : new int[] {0, 1, 2}) {
      LoaderOptions options =
          LoaderOptions.defaults().batchSize(4).workers(workers).output(output).memory("2MiB");
      try (DataLoader loader = DataLoader.of(new StructuredDataset(texts.toString()), options)) {
        EpochIterator<Batch> epoch = loader.iterator();
        epoch.next().close();
        Workers.awaitRest(() -> workers == 0 || loader.stats().queue().ready() > 0);
        BatchQueue queue = loader.stats().queue();
        assertThat((queue.ready() + queue.filling()) * 4 * 4096)
            .as("%s workers: %s", workers, queue)
            .isLessThanOrEqualTo((512 << 10) + 2 * 4 * 4096);
        long rows = 4;
        while (epoch.hasNext()) {
          try (Batch batch = epoch.next()) {
            rows += batch.rowCount();
          }
        }
        assertThat(rows).isEqualTo(2000);
      }
    }
  }

  @Test
  void batchesThatTheConsumerHoldsAreItsOwnAffair() {
    StructuredDataset dataset = new StructuredDataset(folder.toString());
    try (DataLoader loader =
        DataLoader.of(dataset, o -> o.workers(2).batchSize(1000).memory("6MiB"))) {
      List<Batch> held = new ArrayList<>();
      loader.forEach(held::add);
      assertThat(held).hasSize(FILES * ROWS_PER_FILE / 1000);
      held.forEach(Batch::close);
      assertThat(loader.stats().memory().bytes()).isLessThanOrEqualTo(6 << 20);
    }
  }

  @Test
  void noMemoryIsRefused() {
    assertThatThrownBy(() -> LoaderOptions.defaults().memory("0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("more than 0");
  }
}
