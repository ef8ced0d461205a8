package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.CollatedLoader;
import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.SampleLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.files.FaultStorage;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.data.MapDataset;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.stats.BatchQueue;
import dev.penstock.stats.EpochTimes;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.LoaderTotals;
import dev.penstock.stats.PassStats;
import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import dev.penstock.stats.WaitStats;
import dev.penstock.stats.WorkerStats;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalInputFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a loader says of its own work.
class ObservabilityTest {
  @TempDir static Path path;
  private FaultStorage.Site site;
  private StructuredDataset dataset;

  /// 300 rows in 3 files, 5 row groups.
  @BeforeAll
  static void writeFiles() throws IOException {
    new Folder(path).counting(new int[] {20, 80}, new int[] {100}, new int[] {1, 99});
  }

  @BeforeEach
  void openSite() {
    site = FaultStorage.over(path);
    dataset = new StructuredDataset(site.location());
  }

  private static LoaderOptions options(int workers) {
    return LoaderOptions.defaults().batchSize(7).workers(workers).prefetchFactor(1);
  }

  private static void pass(FaultStorage.Gate gate) {
    gate.check(new Location("nowhere"));
  }

  private static void drain(EpochIterator<Batch> batches) {
    batches.forEachRemaining(Batch::close);
  }

  private static Set<Stage> stagesWithTime(StageTimes times) {
    Set<Stage> stages = EnumSet.noneOf(Stage.class);
    times
        .nanosByStage()
        .forEach((stage, nanos) -> {
          if (nanos > 0) {
            stages.add(stage);
          }
        });
    return stages;
  }

  /// Returns the stages whose time grows while everything stands still.
  private static Set<Stage> stagesThatGoOn(Supplier<LoaderStats> stats) {
    StageTimes before = stats.get().times().ofWorkers();
    Set<Stage> stages = EnumSet.noneOf(Stage.class);
    while (stages.isEmpty()) { // until the clock of the machine has moved
      StageTimes after = stats.get().times().ofWorkers();
      for (Stage stage : Stage.values()) {
        if (after.nanos(stage) > before.nanos(stage)) {
          stages.add(stage);
        }
      }
    }
    return stages;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void timesAddUp(int workers) {
    try (DataLoader loader = DataLoader.of(dataset.where("id != 17"), options(workers))) {
      long start = System.nanoTime();
      try (EpochIterator<Batch> batches = loader.iterator()) {
        drain(batches);
      }
      LoaderStats stats = loader.stats();
      long nanos = System.nanoTime() - start;
      assertThat(stats.rows()).isEqualTo(299);
      assertThat(stats.times().nanos()).isPositive().isLessThanOrEqualTo(nanos);
      assertThat(stats.times().workers().stream().map(WorkerStats::worker).toList())
          .isEqualTo(workers == 0 ? List.of(-1) : List.of(0, 1, 2).subList(0, workers));
      for (WorkerStats worker : stats.times().workers()) {
        assertThat(worker.times().totalNanos()).isPositive().isLessThanOrEqualTo(nanos);
      }
      assertThat(stats.times().waitNanos()).isLessThanOrEqualTo(stats.times().nanos());
      if (workers == 0) {
        assertThat(stats.times().waitedFor()).isEqualTo(stats.times().ofWorkers());
        assertThat(stats.times().ofWorkers().totalNanos())
            .isLessThanOrEqualTo(stats.times().waitNanos());
      } else {
        assertThat(stats.times().waitedFor().totalNanos()).isEqualTo(stats.times().waitNanos());
      }
      assertThat(stagesWithTime(stats.times().ofWorkers()))
          .contains(Stage.OPEN, Stage.FETCH, Stage.DECODE, Stage.FILTER, Stage.BATCH)
          .doesNotContain(Stage.TRANSFORM, Stage.SHUFFLE);
      assertThat(stats.queue()).isEqualTo(new BatchQueue(0, 0, stats.queue().capacity()));
      assertThat(stats.bottleneck().toString()).contains(" bottleneck").endsWith(".");
      assertThat(loader.stats()).isEqualTo(stats); // nothing goes on behind the end
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void eachBatchHasAWait(int workers) {
    try (DataLoader loader = DataLoader.of(dataset.where("id != 17"), options(workers))) {
      drain(loader.iterator());
      EpochTimes times = loader.stats().times();
      assertThat(times.waits().count()).isEqualTo(43);
      assertThat(times.waits().maxNanos()).isLessThanOrEqualTo(times.waits().totalNanos());
      if (workers == 0) {
        assertThat(times.waits().totalNanos()).isPositive();
      } else {
        assertThat(times.waits().totalNanos()).isLessThanOrEqualTo(times.waitNanos());
      }
    }
  }

  @Test
  void batchThatIsReadyIsNotWaitedFor() {
    try (DataLoader loader = DataLoader.of(dataset, options(1))) {
      try (EpochIterator<Batch> batches = loader.iterator()) {
        for (int i = 0; i < 20; i++) {
          while (!batches.isReady()) {
            Thread.onSpinWait();
          }
          batches.next().close();
        }
      }
      assertThat(loader.stats().times().waits())
          .isEqualTo(new WaitStats(List.of(new WaitStats.Bucket(0, 20)), 0, 0));
    }
  }

  /// The numbers below 5.
  private static final class Five implements MapDataset<Long> {
    @Override
    public long size() {
      return 5;
    }

    @Override
    public Long get(long index) {
      return index;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void objectsHaveWaitsAndTotals(int workers) {
    try (SampleLoader<Long, Integer> loader =
        DataLoader.of(
            new Five(), o -> o.batchSize(2).workers(workers).collate((rows, _) -> rows.size()))) {
      assertThat(loader.totals()).isEqualTo(LoaderTotals.NONE);
      loader.iterator().forEachRemaining(_ -> {});
      loader.iterator().forEachRemaining(_ -> {});
      assertThat(loader.stats().times().waits().count()).isEqualTo(3);
      assertThat(loader.totals().waits().count()).isEqualTo(6);
      assertThat(loader.totals().batches()).isEqualTo(6);
      assertThat(loader.totals().rows()).isEqualTo(10);
      assertThat(loader.totals().epochs()).isEqualTo(2);
      assertThat(loader.stats().memory().limitBytes()).isEqualTo(Long.MAX_VALUE);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void totalsAreTheSumOfTheEpochs(int workers) {
    LoaderTotals sum = LoaderTotals.NONE;
    DataLoader loader = DataLoader.of(dataset.where("id != 17"), options(workers));
    try (loader) {
      assertThat(loader.totals()).isEqualTo(LoaderTotals.NONE);
      for (int epoch = 0; epoch < 3; epoch++) {
        try (EpochIterator<Batch> batches = loader.iterator()) {
          for (int i = 0; i < 10; i++) {
            batches.next().close();
          }
          if (epoch == 1) { // the others are left
            drain(batches);
          }
        }
        sum = sum.plus(totals(loader.stats()));
        assertThat(loader.totals()).isEqualTo(sum);
      }
      assertThat(sum.epochs()).isEqualTo(3);
      assertThat(sum.batches()).isEqualTo(10 + 43 + 10);
      assertThat(sum.rows()).isEqualTo(70 + 299 + 70);
      assertThat(sum.read().stores()).containsOnlyKeys("fault");
      assertThat(sum.read().bytes()).isPositive();
    }
    assertThat(loader.totals()).isEqualTo(sum);
  }

  private static LoaderTotals totals(LoaderStats epoch) {
    EpochTimes times = epoch.times();
    return new LoaderTotals(
        1,
        epoch.rows(),
        epoch.batches(),
        epoch.read(),
        times.nanos(),
        times.waitedFor(),
        times.ofWorkers(),
        times.waits());
  }

  @Test
  void memoryHasItsLimit() {
    try (DataLoader loader = DataLoader.of(dataset, options(2).memory("100MB"))) {
      assertThat(loader.stats().memory().limitBytes()).isEqualTo(100_000_000);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void windowsAreShuffling(int workers) {
    try (DataLoader loader = DataLoader.of(dataset, options(workers).shuffle(Shuffle.window(64)))) {
      drain(loader.iterator());
      assertThat(stagesWithTime(loader.stats().times().ofWorkers()))
          .contains(Stage.OPEN, Stage.FETCH, Stage.DECODE, Stage.SHUFFLE, Stage.BATCH)
          .doesNotContain(Stage.FILTER, Stage.TRANSFORM);
    }
  }

  @Test
  void statsBeforeTheFirstEpochAreEmpty() {
    try (DataLoader loader = DataLoader.of(dataset, options(2))) {
      LoaderStats stats = loader.stats();
      assertThat(stats.times().nanos()).isZero();
      assertThat(stats.times().workers()).isEmpty();
      assertThat(stats.queue()).isEqualTo(BatchQueue.NONE);
      assertThat(stats.times().ofWorkers()).isEqualTo(StageTimes.NONE);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void whatIsReadBeforeAnEpochIsTold(int workers) throws Exception {
    FaultStorage.Gate gate = new FaultStorage.Gate();
    LoaderOptions half = options(workers).rank(new Rank(0, 2));
    try (DataLoader loader = DataLoader.of(dataset.where("id in (3, 150, 299)"), half)) {
      assertThat(loader.dataset().files()).hasSize(3); // reads the footers
      site.onRead(gate);
      FutureTask<EpochIterator<Batch>> starting = new FutureTask<>(loader::iterator);
      Thread.ofPlatform().daemon().start(starting);
      gate.awaitArrival();
      PassStats begun = loader.stats().passes().getFirst();
      assertThat(begun.purpose()).isEqualTo("count the rows that match");
      assertThat(begun.rowsRead()).isLessThan(begun.rows());
      gate.open();
      drain(starting.get());
      PassStats done = loader.stats().passes().getFirst();
      assertThat(done.rowsRead()).isEqualTo(done.rows()).isEqualTo(begun.rows());
      assertThat(done.bytesRead()).isPositive();
      assertThat(done.nanos()).isGreaterThanOrEqualTo(begun.nanos());
      drain(loader.iterator());
      assertThat(loader.stats().passes()).isEmpty(); // what was counted holds for each epoch
      assertThat(loader.history().getFirst().stats().passes()).containsExactly(done);
    }
  }

  @Test
  void workerThatReadsIsFetching() {
    FaultStorage.Gate gate = new FaultStorage.Gate();
    try (DataLoader loader = DataLoader.of(dataset, options(1))) {
      assertThat(loader.batchesPerEpoch()).isEqualTo(43); // reads the footers
      site.onRead(gate);
      EpochIterator<Batch> batches = loader.iterator();
      gate.awaitArrival();
      assertThat(stagesThatGoOn(loader::stats)).containsExactly(Stage.FETCH);
      gate.open();
      drain(batches);
    }
  }

  @Test
  void workerInTheTransformIsTransforming() {
    FaultStorage.Gate gate = new FaultStorage.Gate();
    LoaderOptions options =
        options(1)
            .transform(
                (block, context) -> {
                  if (context.file().isPresent()) {
                    pass(gate);
                  }
                  return block;
                },
                10);
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      EpochIterator<Batch> batches = loader.iterator();
      gate.awaitArrival();
      assertThat(stagesThatGoOn(loader::stats)).containsExactly(Stage.TRANSFORM);
      gate.open();
      drain(batches);
    }
  }

  @Test
  void workerInTheCollateFunctionIsCollating() {
    FaultStorage.Gate gate = new FaultStorage.Gate();
    try (DataLoader loader = DataLoader.of(dataset, options(1));
        CollatedLoader<Integer> collated =
            loader.collate(batch -> {
              try (batch) {
                pass(gate);
                return batch.rowCount();
              }
            })) {
      EpochIterator<Integer> batches = collated.iterator();
      gate.awaitArrival();
      assertThat(stagesThatGoOn(loader::stats)).containsExactly(Stage.COLLATE);
      gate.open();
      assertThat(batches.next()).isEqualTo(7);
    }
  }

  @Test
  void objectsAreFetchedAndCollated() {
    FaultStorage.Gate get = new FaultStorage.Gate();
    FaultStorage.Gate collate = new FaultStorage.Gate();
    MapDataset<Long> numbers =
        new MapDataset<>() {
          @Override
          public long size() {
            return 10;
          }

          @Override
          public Long get(long index) {
            pass(get);
            return index;
          }
        };
    try (SampleLoader<Long, Integer> loader =
        DataLoader.of(
            numbers,
            o ->
                o.batchSize(4)
                    .workers(1)
                    .collate((rows, _) -> {
                      pass(collate);
                      return rows.size();
                    }))) {
      EpochIterator<Integer> batches = loader.iterator();
      get.awaitArrival();
      assertThat(stagesThatGoOn(loader::stats)).containsExactly(Stage.FETCH);
      assertThat(loader.stats().queue()).isEqualTo(new BatchQueue(0, 1, 2));
      get.open();
      collate.awaitArrival();
      assertThat(stagesThatGoOn(loader::stats)).containsExactly(Stage.COLLATE);
      collate.open();
      assertThat(batches.next()).isEqualTo(4);
    }
  }

  @Test
  void workerOfASlowConsumerWaitsBehindAFullQueue(@TempDir Path folder) throws IOException {
    StructuredDataset rows = new Folder(folder).counting(new int[] {300_000}).dataset();
    try (DataLoader loader = DataLoader.of(rows, options(1).batchSize(1_000))) {
      EpochIterator<Batch> batches = loader.iterator();
      batches.next().close();
      BatchQueue queue = loader.stats().queue();
      assertThat(queue.capacity()).isLessThan(299);
      BatchQueue full = new BatchQueue(queue.capacity(), 0, queue.capacity());
      // A worker that waits may have been told already of the batch that was taken.
      while (!loader.stats().queue().equals(full)) {
        Thread.onSpinWait();
      }
      awaitStages(loader::stats, Stage.WAIT);
      assertThat(loader.stats().queue()).isEqualTo(full);
    }
  }

  @Test
  void decompressingIsToldFromDecoding(@TempDir Path folder) throws IOException {
    Set<Boolean> kinds = new HashSet<>();
    for (int seed = 0; seed < 10; seed++) {
      Path file = folder.resolve("seed-" + seed + ".parquet");
      new ParquetFiles().write(file, Folder.ID, List.of(Folder.ids(0, 1_000)), new Random(seed));
      try (DataLoader loader = DataLoader.of(new StructuredDataset(file.toString()), options(0))) {
        drain(loader.iterator());
        boolean compressed = isCompressed(file);
        kinds.add(compressed);
        assertThat(loader.stats().times().ofWorkers().nanos(Stage.DECOMPRESS) > 0)
            .isEqualTo(compressed);
      }
    }
    assertThat(kinds).hasSize(2);
  }

  private static boolean isCompressed(Path file) throws IOException {
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file))) {
      return reader.getFooter().getBlocks().getFirst().getColumns().getFirst().getCodec()
          != CompressionCodecName.UNCOMPRESSED;
    }
  }

  /// Waits until the workers are in these stages, and in no others.
  private static void awaitStages(Supplier<LoaderStats> stats, Stage... stages) {
    while (!stagesThatGoOn(stats).equals(Set.of(stages))) {
      Thread.onSpinWait();
    }
  }

  @Nested
  class FlightRecording {
    @TempDir Path folder;

    private List<RecordedEvent> record(String event, Runnable work) throws IOException {
      Path file = folder.resolve("recording.jfr");
      try (Recording recording = new Recording()) {
        recording.enable(event).withoutThreshold();
        recording.start();
        work.run();
        recording.stop();
        recording.dump(file);
      }
      return RecordingFile.readAllEvents(file).stream()
          .filter(each -> each.getEventType().getName().equals(event))
          .toList();
    }

    @ParameterizedTest
    @CsvSource({"0, false", "2, false", "2, true"})
    void everySliceHasItsRowsAndStages(int workers, boolean shuffled) throws IOException {
      LoaderOptions options =
          shuffled ? options(workers).shuffle(Shuffle.window(64)) : options(workers);
      List<RecordedEvent> slices =
          record(
              "penstock.Slice",
              () -> {
                try (DataLoader loader = DataLoader.of(dataset.where("id != 17"), options)) {
                  drain(loader.iterator());
                }
              });
      Map<String, Long> rowsByFile = new TreeMap<>();
      for (RecordedEvent slice : slices) {
        rowsByFile.merge(slice.getString("file"), (long) slice.getInt("rows"), Long::sum);
        assertThat(slice.getLong("firstRow")).isLessThan(slice.getLong("endRow"));
        Duration stages = Duration.ZERO;
        for (String stage :
            List.of("open", "fetch", "decompress", "decode", "filter", "transform")) {
          stages = stages.plus(slice.getDuration(stage));
        }
        assertThat(stages).isPositive();
      }
      String root = site.location() + "/part-";
      assertThat(rowsByFile)
          .containsExactly(
              Map.entry(root + "0.parquet", 99L),
              Map.entry(root + "1.parquet", 100L),
              Map.entry(root + "2.parquet", 100L));
      assertThat(
              slices.stream()
                  .mapToLong(slice -> slice.getLong("endRow") - slice.getLong("firstRow"))
                  .sum())
          .isEqualTo(300);
    }

    @Test
    void consumerWaitsForABatch() throws IOException {
      FaultStorage.Gate gate = new FaultStorage.Gate();
      List<RecordedEvent> waits =
          record(
              "penstock.Wait",
              () -> {
                try (DataLoader loader = DataLoader.of(dataset, options(1))) {
                  assertThat(loader.batchesPerEpoch()).isEqualTo(43);
                  site.onRead(gate);
                  EpochIterator<Batch> batches = loader.iterator();
                  Thread consumer = Thread.currentThread();
                  Thread.ofVirtual()
                      .start(() -> {
                        while (!isAwaiting(consumer)) {
                          Thread.onSpinWait();
                        }
                        gate.open();
                      });
                  batches.next().close();
                  drain(batches);
                }
              });
      assertThat(waits.stream().map(FlightRecording::words)).contains("consumer: batch");
    }

    /// Returns whether a thread waits for a condition, not only for a lock.
    private static boolean isAwaiting(Thread thread) {
      return Arrays.stream(thread.getStackTrace())
          .anyMatch(frame -> frame.getMethodName().equals("await"));
    }

    @Test
    void workersWaitForTheConsumerAndForCounts() throws IOException {
      StructuredDataset large = new Folder(folder).counting(new int[] {300_000}).dataset();
      FaultStorage.Gate gate = new FaultStorage.Gate();
      List<RecordedEvent> waits =
          record(
              "penstock.Wait",
              () -> {
                try (DataLoader loader = DataLoader.of(large, options(1).batchSize(1_000))) {
                  EpochIterator<Batch> batches = loader.iterator();
                  awaitStages(loader::stats, Stage.WAIT);
                  drain(batches);
                }
                try (DataLoader loader = DataLoader.of(dataset.where("id != 17"), options(2))) {
                  assertThat(loader.dataset().files()).hasSize(3);
                  site.onRead(location -> {
                    if (location.text().endsWith("part-0.parquet")) {
                      gate.check(location);
                    }
                  });
                  EpochIterator<Batch> batches = loader.iterator();
                  awaitStages(loader::stats, Stage.FETCH, Stage.WAIT);
                  gate.open();
                  drain(batches);
                }
              });
      assertThat(waits.stream().map(FlightRecording::words))
          .contains("worker: consumer", "worker: count");
    }

    private static String words(RecordedEvent wait) {
      return wait.getString("who") + ": " + wait.getString("waitsFor");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void endsOfEpochsHaveTheNumbersOfStats(int workers) throws IOException {
      List<LoaderStats> stats = new ArrayList<>();
      List<RecordedEvent> ends =
          record(
              "penstock.Epoch",
              () -> {
                try (DataLoader loader = DataLoader.of(dataset, options(workers))) {
                  for (int epoch = 0; epoch < 2; epoch++) {
                    drain(loader.iterator());
                    stats.add(loader.stats());
                  }
                  try (EpochIterator<Batch> left = loader.iterator()) {
                    left.next().close();
                  }
                }
              });
      assertThat(ends.stream().map(end -> end.getLong("epoch"))).containsExactly(0L, 1L, 2L);
      assertThat(ends.stream().map(end -> end.getLong("loader")).distinct()).hasSize(1);
      for (int epoch = 0; epoch < 2; epoch++) {
        RecordedEvent end = ends.get(epoch);
        LoaderStats expected = stats.get(epoch);
        assertThat(end.getLong("rows")).isEqualTo(expected.rows());
        assertThat(end.getLong("batches")).isEqualTo(expected.batches());
        assertThat(end.getLong("bytes")).isEqualTo(expected.read().bytes());
        assertThat(end.getDuration("took").toNanos()).isEqualTo(expected.times().nanos());
        assertThat(end.getString("options")).contains("batchSize 7", "workers " + workers);
      }
      assertThat(ends.getLast().getLong("batches")).isEqualTo(1);
    }

    @Test
    void workersAndSamplesNameTheirEpoch() throws IOException {
      List<RecordedEvent> workers =
          record(
              "penstock.Worker",
              () -> {
                try (DataLoader loader = DataLoader.of(dataset, options(2))) {
                  drain(loader.iterator());
                }
              });
      assertThat(workers.stream().map(each -> each.getInt("worker"))).containsExactly(0, 1);
      List<RecordedEvent> samples =
          record(
              "penstock.Sample",
              () -> {
                try (DataLoader loader = DataLoader.of(dataset, options(2))) {
                  drain(loader.iterator());
                }
              });
      assertThat(samples.getLast().getLong("rows")).isEqualTo(300);
      assertThat(samples.getLast().getLong("batches")).isEqualTo(43);
      assertThat(samples.getLast().getLong("loader")).isPositive();
    }

    @Test
    void eventsDescribeThemselves() throws IOException {
      everySliceHasItsRowsAndStages(0, false); // so that the types are known
      Map<String, EventType> types =
          FlightRecorder.getFlightRecorder().getEventTypes().stream()
              .filter(type -> type.getCategoryNames().equals(List.of("Penstock")))
              .collect(Collectors.toMap(EventType::getName, type -> type));
      assertThat(types).containsKey("penstock.Slice");
      types
          .values()
          .forEach(type -> {
            assertThat(type.getLabel()).isNotBlank();
            assertThat(type.getDescription()).isNotBlank();
          });
    }
  }
}
