package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.SampleLoader;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Collator;
import dev.penstock.blackbox.contract.Workers;
import dev.penstock.data.Datasets;
import dev.penstock.data.IterableDataset;
import dev.penstock.data.MapDataset;
import dev.penstock.data.Sharing;
import dev.penstock.data.WorkerInfo;
import dev.penstock.options.IterableOptions;
import dev.penstock.options.MapOptions;
import dev.penstock.sample.BatchSampler;
import dev.penstock.sample.DistributedSampler;
import dev.penstock.sample.Generator;
import dev.penstock.sample.SequentialSampler;
import dev.penstock.stats.CoverageReport;
import dev.penstock.testing.TorchValues;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Torch's `DataLoader`: its orders, bounds, errors and refusals, held against values recorded from
/// torch.
class SampleLoaderTest {
  /// Worker `w` gives `counts[w]` numbers from `100 * w` on, as torch was recorded with.
  private record Counts(List<Integer> counts) implements IterableDataset<Long> {
    Counts(int... counts) {
      this(Arrays.stream(counts).boxed().toList());
    }

    @Override
    public Iterator<Long> iterator() {
      int worker = WorkerInfo.current().map(WorkerInfo::id).orElse(0);
      return LongStream.range(0, counts.get(worker)).map(i -> 100L * worker + i).iterator();
    }
  }

  private static <T> Collator<T, List<T>> rows() {
    return (rows, _) -> List.copyOf(rows);
  }

  private static <B> List<B> epoch(SampleLoader<?, B> loader) {
    List<B> batches = new ArrayList<>();
    loader.iterator().forEachRemaining(batches::add);
    return batches;
  }

  private static long[] order(SampleLoader<Long, Long> loader) {
    return epoch(loader).stream().mapToLong(Long::longValue).toArray();
  }

  // --- Orders

  @Test
  void shuffledEpochsAreThoseOfTorch() throws IOException {
    TorchValues torch = TorchValues.read("golden.json");
    String given = "DataLoader(range(10),shuffle,generator seed=42) 3 epochs (new loader each)";
    String global = "torch.manual_seed(42); DataLoader(range(10),shuffle=True) 3 epochs";
    String persistent = "same, num_workers=2 persistent_workers=True";
    for (int workers : Workers.COUNTS) {
      Generator generator = new Generator(42);
      for (long[] expected : torch.orders(given)) {
        try (SampleLoader<Long, Long> loader =
            DataLoader.of(
                new Numbers(10),
                o -> o.shuffle(true).generator(generator).workers(workers).unbatched())) {
          assertThat(order(loader)).containsExactly(expected);
        }
      }
      Generator.global().manualSeed(42);
      try (SampleLoader<Long, Long> loader =
          DataLoader.of(new Numbers(10), o -> o.shuffle(true).workers(workers).unbatched())) {
        for (long[] expected : torch.orders(global)) {
          assertThat(order(loader)).containsExactly(expected);
        }
      }
      if (workers > 0) {
        Generator.global().manualSeed(42);
        try (SampleLoader<Long, Long> loader =
            DataLoader.of(
                new Numbers(10),
                o -> o.shuffle(true).workers(workers).persistentWorkers(true).unbatched())) {
          for (long[] expected : torch.orders(persistent)) {
            assertThat(order(loader)).containsExactly(expected);
          }
        }
      }
    }
  }

  @Test
  void batchesAreTheSamplersWhateverTheWorkers() {
    long[] expected = LongStream.range(0, 23).toArray();
    for (int workers : Workers.COUNTS) {
      for (boolean dropLast : new boolean[] {false, true}) {
        try (SampleLoader<Long, List<Long>> loader =
            DataLoader.of(
                new Numbers(23),
                o -> o.batchSize(5).dropLast(dropLast).workers(workers).collate(rows()))) {
          List<List<Long>> batches = epoch(loader);
          assertThat(loader.batchesPerEpoch()).isEqualTo(dropLast ? 4 : 5);
          assertThat(batches).hasSize(dropLast ? 4 : 5);
          assertThat(batches.stream().flatMap(List::stream).mapToLong(Long::longValue).toArray())
              .containsExactly(dropLast ? LongStream.range(0, 20).toArray() : expected);
        }
      }
    }
  }

  @Test
  void iterableWorkersTakeTurnsAsInTorch() throws IOException {
    TorchValues torch = TorchValues.read("semantics.json");
    int[][] all = {{1, 3, 2}, {5, 2, 4}, {0, 3, 1}, {4, 4, 4}};
    int[] sizes = {1, 2, 1, 3};
    for (int i = 0; i < all.length; i++) {
      for (boolean dropLast : new boolean[] {false, true}) {
        String name =
            "iterable "
                + (dropLast ? "drop_last " : "")
                + "counts="
                + Arrays.toString(all[i])
                + " bs="
                + sizes[i];
        for (int prefetch = 1; prefetch < 4; prefetch++) {
          IterableOptions<Long, List<Long>> options =
              IterableOptions.<Long>defaults()
                  .batchSize(sizes[i])
                  .dropLast(dropLast)
                  .workers(3)
                  .prefetchFactor(prefetch)
                  .collate(rows());
          try (SampleLoader<Long, List<Long>> loader = DataLoader.of(new Counts(all[i]), options)) {
            for (int epoch = 0; epoch < 2; epoch++) {
              assertThat(epoch(loader)).as(name).hasToString((String) torch.get(name));
            }
          }
        }
      }
    }
  }

  @Test
  void turnsDoNotDependOnTiming() {
    Random random = new Random(5);
    for (int round = 0; round < 40; round++) {
      int[] counts = random.ints(3, 0, 8).toArray();
      int batchSize = 1 + random.nextInt(3);
      CountDownLatch[] gates = new CountDownLatch[3];
      Arrays.setAll(gates, _ -> new CountDownLatch(1));
      IterableDataset<Long> dataset =
          () -> {
            int worker = WorkerInfo.current().orElseThrow().id();
            try {
              gates[worker].await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            return new Counts(counts).iterator();
          };
      try (SampleLoader<Long, List<Long>> loader =
          DataLoader.of(dataset, o -> o.batchSize(batchSize).workers(3).collate(rows()))) {
        EpochIterator<List<Long>> epoch = loader.iterator();
        int first = random.nextInt(3);
        for (int i = 0; i < 3; i++) { // workers begin one after another, in another order each time
          gates[(i + first) % 3].countDown();
        }
        List<List<Long>> batches = new ArrayList<>();
        epoch.forEachRemaining(batches::add);
        assertThat(batches).as("%s", round).isEqualTo(turns(counts, batchSize));
      }
    }
  }

  /// Returns what workers with so many rows deliver in turn.
  private static List<List<Long>> turns(int[] counts, int batchSize) {
    List<List<Long>> expected = new ArrayList<>();
    for (long turn = 0; turn * batchSize < 10; turn++) {
      for (int worker = 0; worker < counts.length; worker++) {
        List<Long> batch =
            LongStream.range(turn * batchSize, Math.min(counts[worker], (turn + 1) * batchSize))
                .mapToObj(i -> i)
                .toList();
        long base = 100L * worker;
        if (!batch.isEmpty()) {
          expected.add(batch.stream().map(i -> base + i).toList());
        }
      }
    }
    return expected;
  }

  @Test
  void outOfOrderEveryBatchComesOnce() {
    try (SampleLoader<Long, List<Long>> loader =
        DataLoader.of(
            new Numbers(100), o -> o.batchSize(3).workers(3).inOrder(false).collate(rows()))) {
      assertThat(epoch(loader).stream().flatMap(List::stream).sorted().toList())
          .isEqualTo(LongStream.range(0, 100).boxed().toList());
    }
    try (SampleLoader<Long, List<Long>> loader =
        DataLoader.of(
            new Counts(5, 0, 9), o -> o.batchSize(2).workers(3).inOrder(false).collate(rows()))) {
      assertThat(epoch(loader).stream().flatMap(List::stream).sorted().toList())
          .containsExactly(
              0L, 1L, 2L, 3L, 4L, 200L, 201L, 202L, 203L, 204L, 205L, 206L, 207L, 208L);
    }
  }

  @Test
  void fastBatchOvertakesASlowOneOutOfOrderOnly() {
    for (boolean inOrder : new boolean[] {true, false}) {
      CountDownLatch slow = new CountDownLatch(1);
      MapDataset<Long> dataset =
          new MapDataset<>() {
            @Override
            public long size() {
              return 4;
            }

            @Override
            public Long get(long index) {
              if (index == 0) {
                await(slow);
              } else if (index == 3) {
                slow.countDown();
              }
              return index;
            }
          };
      try (SampleLoader<Long, Long> loader =
          DataLoader.of(dataset, o -> o.workers(2).inOrder(inOrder).unbatched())) {
        long[] order = order(loader);
        assertThat(order[0] == 0).isEqualTo(inOrder);
      }
    }
  }

  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Test
  void listThatGrowsOrShrinksIsReadAsItIs() {
    for (boolean shuffle : new boolean[] {false, true}) {
      for (int workers : new int[] {0, 2}) {
        List<Long> rows = new ArrayList<>(List.of(0L, 1L, 2L));
        try (SampleLoader<Long, List<Long>> loader =
            DataLoader.of(
                Datasets.ofList(rows),
                o ->
                    o.batchSize(2)
                        .shuffle(shuffle)
                        .workers(workers)
                        .collate((Collator<Long, List<Long>>) (batch, _) -> List.copyOf(batch)))) {
          assertThat(loader).hasSize(2);
          rows.addAll(List.of(3L, 4L));
          assertThat(loader.batchesPerEpoch()).isEqualTo(3);
          List<Long> all = new ArrayList<>();
          loader.forEach(all::addAll);
          assertThat(all).containsExactlyInAnyOrderElementsOf(rows);
          rows.removeLast();
          rows.removeFirst();
          assertThat(loader).hasSize(2).doesNotContain(List.of(0L));
        }
      }
    }
  }

  // --- Bounds

  /// Counts the rows that are read, and says which were read too early.
  private static final class ReadAhead implements MapDataset<Long> {
    private final int most;
    private final AtomicInteger asked = new AtomicInteger(); // batches
    private final AtomicInteger read = new AtomicInteger(); // rows
    private final Semaphore reads = new Semaphore(0);
    private final Queue<Integer> early = new ConcurrentLinkedQueue<>();

    /// @param most the batches of 4 rows that may be ahead of what is asked for
    ReadAhead(int most) {
      this.most = most;
    }

    @Override
    public long size() {
      return 400;
    }

    @Override
    public Long get(long index) {
      int count = read.incrementAndGet();
      if (count > 4 * (asked.get() + most)) {
        early.add(count);
      }
      reads.release();
      return index;
    }
  }

  @Test
  void noMoreIsReadAheadThanTorchReads() throws Exception {
    TorchValues torch = TorchValues.read("semantics.json");
    for (int[] each : new int[][] {{1, 2}, {2, 2}, {2, 5}}) {
      String name =
          "prefetch nw="
              + each[0]
              + " pf="
              + each[1]
              + " samples fetched before next / after 1 next";
      int[] recorded =
          Arrays.stream(((String) torch.get(name)).replaceAll("[() ]", "").split(","))
              .mapToInt(Integer::parseInt)
              .toArray();
      ReadAhead dataset = new ReadAhead(each[0] * each[1]);
      try (SampleLoader<Long, List<Long>> loader =
          DataLoader.of(
              dataset,
              o -> o.batchSize(4).workers(each[0]).prefetchFactor(each[1]).collate(rows()))) {
        EpochIterator<List<Long>> epoch = loader.iterator();
        dataset.reads.acquire(recorded[0]); // so many are read before anything is asked for
        dataset.asked.incrementAndGet();
        epoch.next();
        dataset.reads.acquire(recorded[1] - recorded[0]);
        while (epoch.hasNext()) {
          dataset.asked.incrementAndGet();
          epoch.next();
        }
      }
      assertThat(dataset.read).hasValue(400);
      assertThat(dataset.early).as(name).isEmpty();
    }
  }

  // --- Workers

  @Test
  void workersKnowWhoTheyAreAndTheConsumerIsNone() throws IOException {
    List<?> recorded =
        new TorchSeeds((String) TorchValues.read("semantics.json").get("worker seeds gen=42 nw=3"))
            .seeds();
    Set<List<Object>> seen = ConcurrentHashMap.newKeySet();
    Numbers numbers = new Numbers(30);
    try (SampleLoader<Long, Long> loader =
        DataLoader.of(
            numbers,
            o ->
                o.workers(3)
                    .generator(new Generator(42))
                    .collate((rows, _) -> {
                      WorkerInfo info = WorkerInfo.current().orElseThrow();
                      assertThat(info.dataset()).isSameAs(numbers);
                      assertThat(info.count()).isEqualTo(3);
                      assertThat(rows.getFirst() % 3).isEqualTo(info.id());
                      seen.add(List.of(info.id(), info.seed(), info.generator().initialSeed()));
                      return rows.getFirst();
                    }))) {
      order(loader);
    }
    for (int worker = 0; worker < 3; worker++) {
      assertThat(seen).contains(List.of(worker, recorded.get(worker), recorded.get(worker)));
    }
    assertThat(seen).hasSize(3);
    assertThat(WorkerInfo.current()).isEmpty();
    try (SampleLoader<Long, Boolean> loader =
        DataLoader.of(numbers, o -> o.collate((_, _) -> WorkerInfo.current().isEmpty()))) {
      assertThat(epoch(loader)).containsOnly(true).hasSize(30);
    }
  }

  /// The seeds in a recorded list of `[seed, seed, random number]`.
  private record TorchSeeds(String text) {
    List<Long> seeds() {
      return java.util.regex.Pattern.compile("\\[(\\d+),")
          .matcher(text)
          .results()
          .map(each -> Long.valueOf(each.group(1)))
          .toList();
    }
  }

  @Test
  void persistentWorkersBeginOnceAndKeepTheirRandomNumbers() throws IOException {
    TorchValues torch = TorchValues.read("semantics.json");
    for (boolean persistent : new boolean[] {true, false}) {
      List<Long> recorded =
          new TorchSeeds(
                  (String)
                      torch.get(
                          (persistent ? "persistent" : "non-persistent")
                              + " worker seeds 2 epochs"))
              .seeds();
      ConcurrentLinkedQueue<String> begun = new ConcurrentLinkedQueue<>();
      ConcurrentHashMap<String, Long> seeds = new ConcurrentHashMap<>();
      ConcurrentHashMap<String, Long> drawn = new ConcurrentHashMap<>();
      try (SampleLoader<Long, Long> loader =
          DataLoader.of(
              new Numbers(2),
              o ->
                  o.workers(2)
                      .persistentWorkers(persistent)
                      .generator(new Generator(42))
                      .workerInit(info -> begun.add(info.epoch() + "/" + info.id()))
                      .collate((rows, _) -> {
                        WorkerInfo info = WorkerInfo.current().orElseThrow();
                        String key = info.epoch() + "/" + info.id();
                        seeds.put(key, info.seed());
                        drawn.put(key, info.generator().random());
                        return rows.getFirst();
                      }))) {
        order(loader);
        order(loader);
      }
      assertThat(List.of(seeds.get("0/0"), seeds.get("0/1"), seeds.get("1/0"), seeds.get("1/1")))
          .isEqualTo(recorded);
      if (persistent) {
        assertThat(begun).containsExactlyInAnyOrder("0/0", "0/1");
        Generator same = new Generator(recorded.get(0));
        assertThat(List.of(drawn.get("0/0"), drawn.get("1/0")))
            .containsExactly(same.random(), same.random());
      } else {
        assertThat(begun).containsExactlyInAnyOrder("0/0", "0/1", "1/0", "1/1");
      }
    }
  }

  // --- Refusals

  @Test
  void optionsThatDoNotFitAreRefusedWithTheReason() {
    SequentialSampler sampler = new SequentialSampler(3);
    assertRefused(defaults().shuffle(true).sampler(sampler), "sampler", "shuffle");
    assertRefused(defaults().batchSize(2).unbatched(), "unbatched", "batchSize");
    BatchSampler batches = new BatchSampler(sampler, 2, false);
    assertRefused(defaults().batchSampler(batches).batchSize(2), "batchSampler", "batchSize");
    assertRefused(defaults().batchSampler(batches).shuffle(true), "batchSampler", "shuffle");
    assertRefused(defaults().batchSampler(batches).sampler(sampler), "batchSampler", "sampler");
    assertRefused(defaults().batchSampler(batches).dropLast(true), "batchSampler", "dropLast");
    assertRefused(defaults().persistentWorkers(true), "persistentWorkers", "workers");
    assertRefused(
        defaults().workers(2).prefetchFactor(Integer.MAX_VALUE), "prefetchFactor", "4294967294");
    assertThatThrownBy(() -> defaults().workers(-1)).hasMessageContaining("workers");
    assertThatThrownBy(() -> defaults().batchSize(0)).hasMessageContaining("batchSize");
    assertThatThrownBy(() -> defaults().prefetchFactor(0)).hasMessageContaining("prefetchFactor");
    assertThatThrownBy(() -> defaults().timeout(Duration.ofSeconds(-1)))
        .hasMessageContaining("timeout");
  }

  @Test
  void optionsOfReadAheadDoNothingWithoutWorkers() {
    try (SampleLoader<Long, List<Long>> loader =
        DataLoader.of(
            new Numbers(3),
            o -> o.prefetchFactor(4).timeout(Duration.ofNanos(1)).collate(rows()))) {
      assertThat(epoch(loader)).hasToString("[[0], [1], [2]]");
    }
  }

  private static MapOptions<Long, Batch> defaults() {
    return MapOptions.defaults();
  }

  private static void assertRefused(MapOptions<Long, ?> options, String... words) {
    assertThatThrownBy(() -> DataLoader.of(new Numbers(3), options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void sizeIsToldWhereItIsKnown() {
    assertThat(DataLoader.of(new Numbers(7), o -> o.batchSize(2)).batchesPerEpoch()).isEqualTo(4);
    assertThatThrownBy(() -> DataLoader.of(new Counts(1)).batchesPerEpoch())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot tell the number of batches: the dataset has no size.");
    assertThat(DataLoader.of(sized(7), o -> o.batchSize(2).dropLast(true)).batchesPerEpoch())
        .isEqualTo(3);
  }

  private static IterableDataset<Long> sized(long size) {
    return new IterableDataset<>() {
      @Override
      public Iterator<Long> iterator() {
        return LongStream.range(0, size).iterator();
      }

      @Override
      public OptionalLong size() {
        return OptionalLong.of(size);
      }
    };
  }

  // --- Coverage

  @Test
  void coverageTellsRowsThatComeTwiceOrNever() {
    try (SampleLoader<Long, ?> loader = DataLoader.of(sized(5), o -> o.batchSize(2).workers(2))) {
      CoverageReport report = loader.verifyCoverage();
      assertThat(report.isExact()).isFalse();
      assertThat(report.repeatedCount()).isEqualTo(5);
      assertThat(report.missingCount()).isZero();
    }
    try (SampleLoader<Long, ?> loader =
        DataLoader.of(Sharing.byRemainder(sized(11)), o -> o.batchSize(2).workers(3))) {
      assertThat(loader.verifyCoverage().toString())
          .isEqualTo("Every row once: 11 rows delivered of 11.");
    }
    try (SampleLoader<Long, ?> loader =
        DataLoader.of(new Numbers(11), o -> o.batchSize(4).dropLast(true).workers(2))) {
      CoverageReport report = loader.verifyCoverage();
      assertThat(report.missing()).containsExactly(8L, 9L, 10L);
      assertThat(report.delivered()).isEqualTo(8);
    }
    try (SampleLoader<Long, ?> loader =
        DataLoader.of(
            new Numbers(10), o -> o.sampler(new DistributedSampler(10, 3, 0).withoutShuffle()))) {
      assertThat(loader.verifyCoverage().missing()).containsExactly(1L, 2L, 4L, 5L, 7L, 8L);
    }
  }

  @Test
  void epochsOfADistributedSamplerAdvanceByThemselves() throws IOException {
    TorchValues torch = TorchValues.read("golden.json");
    for (int epoch = 0; epoch < 2; epoch++) {
      long[][] expected =
          torch.orders(
              "DistributedSampler n=10 world=3 drop_last=False epoch=" + epoch + " seed=0");
      for (int rank = 0; rank < 3; rank++) {
        MapOptions<Long, Long> options =
            MapOptions.<Long>defaults()
                .sampler(new DistributedSampler(10, 3, rank))
                .workers(rank)
                .unbatched();
        try (SampleLoader<Long, Long> loader = DataLoader.of(new Numbers(10), options)) {
          for (int before = 0; before < epoch; before++) {
            order(loader);
          }
          assertThat(order(loader)).containsExactly(expected[rank]);
          loader.setEpoch(epoch);
          assertThat(order(loader)).containsExactly(expected[rank]);
        }
      }
    }
  }
}
