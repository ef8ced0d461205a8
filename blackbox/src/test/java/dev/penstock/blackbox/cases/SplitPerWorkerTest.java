package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.SampleLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.contract.Leaks;
import dev.penstock.blackbox.files.Delays;
import dev.penstock.blackbox.files.FaultStorage;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.data.Datasets;
import dev.penstock.data.IterableDataset;
import dev.penstock.data.WorkerInfo;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.split.Split;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Each worker reads its own Split, as torch's workers do. The loader of objects, which is held
/// against torch itself elsewhere, says what has to come.
class SplitPerWorkerTest {
  private static final int[] WORKERS = {0, 1, 2, 3, 5, 8};

  @TempDir static Path path;

  /// 263 rows in 6 files.
  @BeforeAll
  static void writeFiles() throws IOException {
    new Folder(path)
        .counting(
            new int[] {50},
            new int[] {9},
            new int[] {20, 30},
            new int[] {4},
            new int[] {100},
            new int[] {50});
  }

  private static List<List<Long>> batches(DataLoader loader) {
    return Delivery.ofEpoch(loader).batches().stream()
        .map(rows -> rows.stream().map(row -> (Long) row.getFirst()).toList())
        .toList();
  }

  /// Returns the ids of each Split of the plan.
  private static List<List<Long>> splits(
      StructuredDataset dataset, LoaderOptions options, long epoch) {
    Map<String, Long> firstIds = new HashMap<>();
    long next = 0;
    for (DataFileInfo file : dataset.files()) {
      firstIds.put(file.location().text(), next);
      next += file.rows();
    }
    List<List<Long>> splits = new ArrayList<>();
    for (Split split : dataset.plan(options, epoch).splits()) {
      List<Long> ids = new ArrayList<>();
      for (FileSplit each : split.fileSplits()) {
        long first = firstIds.get(each.file().location().text());
        LongStream.range(first + each.firstRow(), first + each.endRow()).forEach(ids::add);
      }
      splits.add(ids);
    }
    return splits;
  }

  /// Returns what torch's workers would deliver.
  private static List<List<Long>> asTorch(List<List<Long>> splits, LoaderOptions options) {
    IterableDataset<Long> own =
        Datasets.ofStreams(
            () -> splits.get(WorkerInfo.current().map(WorkerInfo::id).orElse(0)).stream());
    List<List<Long>> batches = new ArrayList<>();
    try (SampleLoader<Long, Batch> loader =
        DataLoader.of(
            own,
            o ->
                o.batchSize(options.batching().size())
                    .dropLast(options.batching().dropLast())
                    .workers(options.reading().workers()))) {
      for (Batch batch : loader) {
        try (batch) {
          batches.add(
              LongStream.range(0, batch.rowCount())
                  .mapToObj(batch.tensor("value")::getLong)
                  .toList());
        }
      }
    }
    return batches;
  }

  @Test
  void promisedStepsHoldWhereABatchIsLargerThanTheData() {
    StructuredDataset dataset = new StructuredDataset(path.toString());
    List<Integer> all = List.of(50, 9, 50, 4, 100, 50);
    for (int batchSize : new int[] {100, 263, 1000}) {
      for (int steps = 1; steps <= 6; steps++) {
        LoaderOptions options =
            LoaderOptions.defaults()
                .batchSize(batchSize)
                .workers(6)
                .splitPerWorker(true)
                .stepsPerEpoch(steps)
                .rank(Rank.SINGLE);
        StructuredDataset byFile =
            dataset.splitStrategy((files, _, _) ->
                files.stream().map(file -> new Split(List.of(FileSplit.whole(file)))).toList());
        try (DataLoader loader = DataLoader.of(byFile, options)) {
          assertThat(loader.batchesPerEpoch()).isEqualTo(steps);
          assertThat(Delivery.ofEpoch(loader).batchRows()).isEqualTo(all.subList(0, steps));
        }
      }
    }
  }

  @Seeded(runs = 40)
  void batchesAreThoseOfTorchsWorkers(Random random) {
    FaultStorage.Site site = FaultStorage.over(path);
    StructuredDataset dataset = new StructuredDataset(site.location());
    dataset = random.nextBoolean() ? dataset : dataset.splitRows(1 + random.nextInt(60));
    LoaderOptions options =
        LoaderOptions.defaults()
            .splitPerWorker(true)
            .workers(WORKERS[random.nextInt(WORKERS.length)])
            .batchSize(1 + random.nextInt(random.nextBoolean() ? 30 : 400))
            .prefetchFactor(1 + random.nextInt(3))
            .seed(random.nextLong())
            .shuffle(random.nextBoolean())
            .dropLast(random.nextBoolean());
    Delays delays = new Delays(random.nextLong());
    site.onRead(delays);
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      for (long epoch = 0; epoch < 2; epoch++) {
        List<List<Long>> expected = asTorch(splits(dataset, options, epoch), options);
        assertThat(loader.batchesPerEpoch()).isEqualTo(expected.size());
        assertThat(batches(loader)).isEqualTo(expected);
      }
    }
    try (DataLoader loader = DataLoader.of(dataset, options.inOrder(false))) {
      assertThat(batches(loader))
          .containsExactlyInAnyOrderElementsOf(asTorch(splits(dataset, options, 0), options));
    }
    Leaks.assertNoThreads();
  }

  @Test
  void workersTakeTurnsUntilEachIsAtItsEnd() {
    StructuredDataset dataset =
        new StructuredDataset(path.toString())
            .splitStrategy((files, count, _) ->
                List.of(
                    new Split(List.of(FileSplit.whole(files.get(1)))),
                    new Split(List.of(FileSplit.whole(files.get(3)))),
                    new Split(List.of()),
                    new Split(
                        List.of(
                            FileSplit.whole(files.get(0)),
                            FileSplit.whole(files.get(2)),
                            FileSplit.whole(files.get(4)),
                            FileSplit.whole(files.get(5))))));
    try (DataLoader loader =
        DataLoader.of(dataset, o -> o.splitPerWorker(true).workers(4).batchSize(4))) {
      assertThat(batches(loader).subList(0, 7))
          .containsExactly(
              List.of(50L, 51L, 52L, 53L),
              List.of(109L, 110L, 111L, 112L),
              List.of(0L, 1L, 2L, 3L),
              List.of(54L, 55L, 56L, 57L),
              List.of(4L, 5L, 6L, 7L),
              List.of(58L),
              List.of(8L, 9L, 10L, 11L));
    }
    // Two workers for four Splits: the first reads Splits 0 and 2, the second 1 and 3.
    try (DataLoader loader =
        DataLoader.of(dataset, o -> o.splitPerWorker(true).workers(2).batchSize(4))) {
      assertThat(batches(loader).subList(0, 4))
          .containsExactly(
              List.of(50L, 51L, 52L, 53L),
              List.of(109L, 110L, 111L, 112L),
              List.of(54L, 55L, 56L, 57L),
              List.of(0L, 1L, 2L, 3L));
    }
  }

  @Test
  void windowMovesRowsWithinTheSplitOfAWorker() {
    StructuredDataset dataset = new StructuredDataset(path.toString());
    LoaderOptions options =
        LoaderOptions.defaults()
            .splitPerWorker(true)
            .workers(3)
            .batchSize(7)
            .shuffle(Shuffle.window(40));
    List<List<Long>> splits = splits(dataset, options, 0);
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      List<List<Long>> batches = batches(loader);
      assertThat(batches)
          .allSatisfy(batch -> assertThat(splits).anyMatch(split -> split.containsAll(batch)));
      assertThat(batches.stream().flatMap(List::stream))
          .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 263).boxed().toList());
    }
  }

  @Test
  void promisedStepsEndTheEpoch() {
    StructuredDataset dataset = new StructuredDataset(path.toString());
    LoaderOptions options =
        LoaderOptions.defaults().splitPerWorker(true).workers(3).batchSize(10).stepsPerEpoch(5);
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      assertThat(batches(loader)).hasSize(5);
    }
    try (DataLoader loader = DataLoader.of(dataset, options.stepsPerEpoch(500))) {
      assertThatThrownBy(() -> batches(loader))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Cannot deliver 500 batches");
    }
  }

  @Test
  void failureComesAfterTheBatchesBeforeItsTurn() {
    FaultStorage.Site site = FaultStorage.over(path);
    StructuredDataset dataset = new StructuredDataset(site.location());
    LoaderOptions options = LoaderOptions.defaults().splitPerWorker(true).workers(3).batchSize(10);
    List<List<Long>> whole;
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      whole = batches(loader);
    }
    site.onRead(location -> {
      if (location.text().contains("part-2")) {
        throw new IOException("out of order");
      }
    });
    for (int times = 0; times < 5; times++) {
      List<List<Long>> before = new ArrayList<>();
      try (DataLoader loader = DataLoader.of(dataset, options)) {
        EpochIterator<Batch> epoch = loader.iterator();
        assertThatThrownBy(
                () -> {
                  while (true) {
                    try (Batch batch = epoch.next()) {
                      before.add(
                          LongStream.range(0, batch.rowCount())
                              .mapToObj(batch.tensor("id")::getLong)
                              .toList());
                    }
                  }
                })
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining("part-2");
      }
      int faulty = 0;
      while (whole.get(faulty).stream().noneMatch(id -> id >= 59 && id < 109)) {
        faulty++;
      }
      assertThat(before).isEqualTo(whole.subList(0, faulty));
    }
  }

  @Test
  void whatHasNoKnownNumberOfBatchesIsRefused() {
    StructuredDataset dataset = new StructuredDataset(path.toString());
    LoaderOptions options = LoaderOptions.defaults().splitPerWorker(true).workers(2).batchSize(10);
    assertRefused(
        dataset.where("id != 7"),
        options,
        "how many rows each has shows only when the filter has tested them");
    assertRefused(
        dataset,
        options.transform((block, _) -> block, 10),
        "how many rows each has shows only when the transform has made them");
    assertRefused(
        dataset,
        options.rank(new Rank(1, 2)),
        "ranks would have different numbers of batches, and this is rank 1/2");
  }

  private static void assertRefused(
      StructuredDataset dataset, LoaderOptions options, String reason) {
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      assertThatThrownBy(loader::iterator)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Cannot let each worker make batches of its own Split: "
                  + reason
                  + ". Leave out splitPerWorker(true).");
    }
  }

  @Test
  void stateIsKnownBetweenEpochsOnly() {
    StructuredDataset dataset = new StructuredDataset(path.toString());
    LoaderOptions options = LoaderOptions.defaults().splitPerWorker(true).workers(2).batchSize(10);
    LoaderState between;
    List<List<Long>> second;
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      loader.iterator().next().close();
      assertThatThrownBy(loader::state)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "Cannot say where epoch 0 goes on: with splitPerWorker(true) each worker has a place"
                  + " of its own. Ask at the end of an epoch, or leave out splitPerWorker(true).");
      loader.setEpoch(0);
      batches(loader);
      between = loader.state();
      second = batches(loader);
    }
    LoaderState within;
    try (DataLoader loader = DataLoader.of(dataset, options.splitPerWorker(false))) {
      loader.iterator().next().close();
      within = loader.state();
    }
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      loader.resume(between);
      assertThat(batches(loader)).isEqualTo(second);
      loader.resume(within);
      assertThatThrownBy(loader::iterator)
          .hasMessageContaining("the state to resume is that of a sequence, after batch 1");
    }
  }
}
