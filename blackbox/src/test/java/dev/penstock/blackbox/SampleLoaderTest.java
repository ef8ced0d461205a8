package dev.penstock.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.penstock.CoverageReport;
import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.SampleLoader;
import dev.penstock.SampleLoaderBuilder;
import dev.penstock.WorkerException;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Collator;
import dev.penstock.batch.DType;
import dev.penstock.batch.Shape;
import dev.penstock.data.IterableDataset;
import dev.penstock.data.MapDataset;
import dev.penstock.data.Sharing;
import dev.penstock.data.WorkerInfo;
import dev.penstock.sample.BatchSampler;
import dev.penstock.sample.DistributedSampler;
import dev.penstock.sample.Generator;
import dev.penstock.sample.SequentialSampler;
import dev.penstock.testing.TorchValues;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Torch's `DataLoader`: its orders, bounds, errors and refusals, held against values recorded from
/// torch.
class SampleLoaderTest {
  private static final int[] WORKERS = {0, 1, 2, 3};

  /// The numbers from 0 on.
  private record Numbers(long size) implements MapDataset<Long> {
    @Override
    public Long get(long index) {
      return index;
    }
  }

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

  private static <T> SampleLoader<T, List<T>> loader(SampleLoaderBuilder<T, Batch> options) {
    return options.collate(SampleLoaderTest.<T>rows()).build();
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
    for (int workers : WORKERS) {
      Generator generator = new Generator(42);
      for (long[] expected : torch.orders(given)) {
        try (SampleLoader<Long, Long> loader =
            DataLoader.over(new Numbers(10))
                .shuffle(true)
                .generator(generator)
                .numWorkers(workers)
                .unbatched()
                .build()) {
          assertThat(order(loader)).containsExactly(expected);
        }
      }
      Generator.global().manualSeed(42);
      try (SampleLoader<Long, Long> loader =
          DataLoader.over(new Numbers(10)).shuffle(true).numWorkers(workers).unbatched().build()) {
        for (long[] expected : torch.orders(global)) {
          assertThat(order(loader)).containsExactly(expected);
        }
      }
      if (workers > 0) {
        Generator.global().manualSeed(42);
        try (SampleLoader<Long, Long> loader =
            DataLoader.over(new Numbers(10))
                .shuffle(true)
                .numWorkers(workers)
                .persistentWorkers(true)
                .unbatched()
                .build()) {
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
    for (int workers : WORKERS) {
      for (boolean dropLast : new boolean[] {false, true}) {
        try (SampleLoader<Long, List<Long>> loader =
            loader(
                DataLoader.over(new Numbers(23))
                    .batchSize(5)
                    .dropLast(dropLast)
                    .numWorkers(workers))) {
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
          try (SampleLoader<Long, List<Long>> loader =
              loader(
                  DataLoader.over(new Counts(all[i]))
                      .batchSize(sizes[i])
                      .dropLast(dropLast)
                      .numWorkers(3)
                      .prefetchFactor(prefetch))) {
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
          loader(DataLoader.over(dataset).batchSize(batchSize).numWorkers(3))) {
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
        loader(DataLoader.over(new Numbers(100)).batchSize(3).numWorkers(3).inOrder(false))) {
      assertThat(epoch(loader).stream().flatMap(List::stream).sorted().toList())
          .isEqualTo(LongStream.range(0, 100).boxed().toList());
    }
    try (SampleLoader<Long, List<Long>> loader =
        loader(DataLoader.over(new Counts(5, 0, 9)).batchSize(2).numWorkers(3).inOrder(false))) {
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
          DataLoader.over(dataset).numWorkers(2).inOrder(inOrder).unbatched().build()) {
        long[] order = order(loader);
        assertThat(order[0] == 0).isEqualTo(inOrder);
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  // --- Bounds

  @Test
  void noMoreIsReadAheadThanTorchReads() throws Exception {
    TorchValues torch = TorchValues.read("semantics.json");
    for (int[] each : new int[][] {{1, 2}, {2, 2}, {2, 5}}) {
      AtomicInteger read = new AtomicInteger();
      MapDataset<Long> dataset =
          new MapDataset<>() {
            @Override
            public long size() {
              return 1000;
            }

            @Override
            public Long get(long index) {
              read.incrementAndGet();
              return index;
            }
          };
      try (SampleLoader<Long, List<Long>> loader =
          loader(
              DataLoader.over(dataset).batchSize(4).numWorkers(each[0]).prefetchFactor(each[1]))) {
        EpochIterator<List<Long>> epoch = loader.iterator();
        int before = settled(read);
        epoch.next();
        int after = settled(read);
        assertThat("(" + before + ", " + after + ")")
            .isEqualTo(
                torch.get(
                    "prefetch nw="
                        + each[0]
                        + " pf="
                        + each[1]
                        + " samples fetched before next / after 1 next"));
      }
    }
  }

  /// Waits until the workers have nothing to do.
  private static int settled(AtomicInteger read) {
    while (Thread.getAllStackTraces().entrySet().stream()
        .filter(each -> each.getKey().getName().startsWith("penstock-worker"))
        .anyMatch(each -> each.getKey().getState() != Thread.State.WAITING)) {
      Thread.onSpinWait();
    }
    return read.get();
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
        DataLoader.over(numbers)
            .numWorkers(3)
            .generator(new Generator(42))
            .collate((rows, _) -> {
              WorkerInfo info = WorkerInfo.current().orElseThrow();
              assertThat(info.dataset()).isSameAs(numbers);
              assertThat(info.count()).isEqualTo(3);
              assertThat(rows.getFirst() % 3).isEqualTo(info.id());
              seen.add(List.of(info.id(), info.seed(), info.generator().initialSeed()));
              return rows.getFirst();
            })
            .build()) {
      order(loader);
    }
    for (int worker = 0; worker < 3; worker++) {
      assertThat(seen).contains(List.of(worker, recorded.get(worker), recorded.get(worker)));
    }
    assertThat(seen).hasSize(3);
    assertThat(WorkerInfo.current()).isEmpty();
    try (SampleLoader<Long, Boolean> loader =
        DataLoader.over(numbers).collate((_, _) -> WorkerInfo.current().isEmpty()).build()) {
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
          DataLoader.over(new Numbers(2))
              .numWorkers(2)
              .persistentWorkers(persistent)
              .generator(new Generator(42))
              .workerInit(info -> begun.add(info.epoch() + "/" + info.id()))
              .collate((rows, _) -> {
                WorkerInfo info = WorkerInfo.current().orElseThrow();
                String key = info.epoch() + "/" + info.id();
                seeds.put(key, info.seed());
                drawn.put(key, info.generator().random());
                return rows.getFirst();
              })
              .build()) {
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

  // --- Errors

  /// Fails at one row.
  private static MapDataset<Long> failing(long at, Exception failure) {
    return new MapDataset<>() {
      @Override
      public long size() {
        return 6;
      }

      @Override
      public Long get(long index) throws IOException {
        if (index == at) {
          if (failure instanceof IOException e) {
            throw e;
          }
          throw (RuntimeException) failure;
        }
        return index;
      }
    };
  }

  /// Cannot be made anew: it has no constructor with a message.
  private static final class Odd extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @Test
  void workerErrorHasItsTypeAndTheNextBatchCanBeTaken() {
    for (int workers : WORKERS) {
      RuntimeException bug = new IllegalArgumentException("bad row");
      List<Object> seen = new ArrayList<>();
      try (SampleLoader<Long, Long> loader =
          DataLoader.over(failing(2, bug)).numWorkers(workers).unbatched().build()) {
        EpochIterator<Long> epoch = loader.iterator();
        while (epoch.hasNext()) {
          try {
            seen.add(epoch.next());
          } catch (IllegalArgumentException e) {
            seen.add("error");
            if (workers == 0) {
              assertThat(e).isSameAs(bug);
            } else {
              assertThat(e)
                  .hasCause(bug)
                  .hasMessage(
                      "Caught java.lang.IllegalArgumentException in worker %d: bad row",
                      2 % workers);
            }
          }
        }
      }
      assertThat(seen).containsExactly(0L, 1L, "error", 3L, 4L, 5L);
    }
  }

  @Test
  void errorsThatCannotBeThrownAgainAreWrapped() {
    for (int workers : WORKERS) {
      FileNotFoundException missing = new FileNotFoundException("no such file");
      assertThat(firstError(failing(0, missing), workers))
          .isInstanceOf(UncheckedIOException.class)
          .hasCause(missing)
          .hasMessageContaining("no such file");
      Odd odd = new Odd();
      Throwable thrown = firstError(failing(0, odd), workers);
      if (workers == 0) {
        assertThat(thrown).isSameAs(odd);
      } else {
        assertThat(thrown).isInstanceOf(WorkerException.class).hasCause(odd);
      }
    }
  }

  private static Throwable firstError(MapDataset<Long> dataset, int workers) {
    try (SampleLoader<Long, Long> loader =
        DataLoader.over(dataset).numWorkers(workers).unbatched().build()) {
      return catchThrowable(() -> loader.iterator().next());
    }
  }

  @Test
  void iterableThatFailedHasNoMore() {
    for (int workers : new int[] {0, 1}) {
      IterableDataset<Long> dataset =
          () ->
              LongStream.range(0, 6)
                  .peek(i -> {
                    if (i == 2) {
                      throw new IllegalArgumentException("bad row");
                    }
                  })
                  .iterator();
      try (SampleLoader<Long, Long> loader =
          DataLoader.over(dataset).numWorkers(workers).unbatched().build()) {
        EpochIterator<Long> epoch = loader.iterator();
        assertThat(epoch.next()).isZero();
        assertThat(epoch.next()).isOne();
        assertThat(epoch.hasNext()).isTrue();
        assertThatThrownBy(epoch::next).isInstanceOf(IllegalArgumentException.class);
        assertThat(epoch.hasNext()).isFalse();
      }
    }
  }

  @Test
  void whatCannotBeginSaysSoAtTheFirstBatch() {
    try (SampleLoader<Long, Long> loader =
        DataLoader.over(new Numbers(4))
            .numWorkers(2)
            .workerInit(info -> {
              if (info.id() == 0) {
                throw new UnsupportedOperationException("no device");
              }
            })
            .unbatched()
            .build()) {
      EpochIterator<Long> epoch = loader.iterator();
      assertThatThrownBy(epoch::next)
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("worker 0: no device");
      assertThat(epoch.next()).isOne();
    }
    for (int workers : WORKERS) {
      IterableDataset<Long> closed =
          () -> {
            throw new UnsupportedOperationException("no stream");
          };
      try (SampleLoader<Long, Long> loader =
          DataLoader.over(closed).numWorkers(workers).unbatched().build()) {
        EpochIterator<Long> epoch = loader.iterator();
        for (int i = 0; i < Math.max(1, workers); i++) {
          assertThatThrownBy(epoch::next)
              .isInstanceOf(UnsupportedOperationException.class)
              .hasMessageContaining("no stream");
        }
        assertThat(epoch.hasNext()).isFalse();
      }
    }
  }

  @Test
  void samplerThatFailsIsReportedInItsPlace() {
    Iterable<long[]> batches =
        () ->
            LongStream.range(0, 6)
                .peek(i -> {
                  if (i == 3) {
                    throw new IllegalArgumentException("no order");
                  }
                })
                .mapToObj(i -> new long[] {i})
                .iterator();
    for (int workers : WORKERS) {
      try (SampleLoader<Long, List<Long>> loader =
          loader(DataLoader.over(new Numbers(9)).batchSampler(batches).numWorkers(workers))) {
        EpochIterator<List<Long>> epoch = loader.iterator();
        for (long i = 0; i < 3; i++) {
          assertThat(epoch.next()).containsExactly(i);
        }
        assertThatThrownBy(epoch::next).hasMessage("no order");
        assertThat(epoch.hasNext()).isFalse();
      }
    }
  }

  @Test
  void timeoutIsAnErrorAndTheBatchCanStillCome() {
    CountDownLatch gate = new CountDownLatch(1);
    MapDataset<Long> dataset =
        new MapDataset<>() {
          @Override
          public long size() {
            return 1;
          }

          @Override
          public Long get(long index) {
            await(gate);
            return index;
          }
        };
    try (SampleLoader<Long, Long> loader =
        DataLoader.over(dataset).numWorkers(1).timeout(Duration.ofMillis(1)).unbatched().build()) {
      EpochIterator<Long> epoch = loader.iterator();
      assertThatThrownBy(epoch::next)
          .isInstanceOf(WorkerException.class)
          .hasMessageContaining("no batch came within PT0.001S");
      gate.countDown();
      Long batch = null;
      while (batch == null) {
        try {
          batch = epoch.next();
        } catch (WorkerException e) {
          assertThat(e).hasMessageContaining("no batch came within");
        }
      }
      assertThat(batch).isZero();
    }
  }

  // --- Refusals

  @Test
  void optionsThatDoNotFitAreRefusedWithTheReason() {
    SequentialSampler sampler = new SequentialSampler(3);
    assertRefused(over().shuffle(true).sampler(sampler), "sampler", "shuffle");
    assertRefused(over().dropLast(true).unbatched(), "unbatched", "dropLast");
    assertRefused(over().batchSize(2).unbatched(), "unbatched", "batchSize");
    BatchSampler batches = new BatchSampler(sampler, 2, false);
    assertRefused(over().batchSampler(batches).batchSize(2), "batchSampler", "batchSize");
    assertRefused(over().batchSampler(batches).shuffle(true), "batchSampler", "shuffle");
    assertRefused(over().batchSampler(batches).sampler(sampler), "batchSampler", "sampler");
    assertRefused(over().batchSampler(batches).dropLast(true), "batchSampler", "dropLast");
    assertRefused(over().prefetchFactor(2), "prefetchFactor", "numWorkers");
    assertRefused(over().persistentWorkers(true), "persistentWorkers", "numWorkers");
    assertRefused(over().timeout(Duration.ofSeconds(1)), "timeout", "numWorkers");
    IterableDataset<Long> stream = new Counts(1);
    assertRefused(DataLoader.over(stream).shuffle(true), "IterableDataset", "shuffle");
    assertRefused(DataLoader.over(stream).sampler(sampler), "IterableDataset", "sampler");
    assertRefused(DataLoader.over(stream).batchSampler(batches), "IterableDataset", "batchSampler");
    assertThatThrownBy(() -> over().numWorkers(-1)).hasMessageContaining("numWorkers");
    assertThatThrownBy(() -> over().batchSize(0)).hasMessageContaining("batchSize");
    assertThatThrownBy(() -> over().prefetchFactor(0)).hasMessageContaining("prefetchFactor");
    assertThatThrownBy(() -> over().timeout(Duration.ofSeconds(-1)))
        .hasMessageContaining("timeout");
  }

  private static SampleLoaderBuilder<Long, Batch> over() {
    return DataLoader.over(new Numbers(3));
  }

  private static void assertRefused(SampleLoaderBuilder<?, ?> options, String... words) {
    assertThatThrownBy(options::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void sizeIsToldWhereItIsKnown() {
    assertThat(DataLoader.over(new Numbers(7)).batchSize(2).build().batchesPerEpoch()).isEqualTo(4);
    assertThatThrownBy(() -> DataLoader.over(new Counts(1)).build().batchesPerEpoch())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot tell the number of batches: the dataset has no size.");
    assertThat(DataLoader.over(sized(7)).batchSize(2).dropLast(true).build().batchesPerEpoch())
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
    try (SampleLoader<Long, ?> loader =
        DataLoader.over(sized(5)).batchSize(2).numWorkers(2).build()) {
      CoverageReport report = loader.verifyCoverage();
      assertThat(report.isExact()).isFalse();
      assertThat(report.repeatedCount()).isEqualTo(5);
      assertThat(report.missingCount()).isZero();
    }
    try (SampleLoader<Long, ?> loader =
        DataLoader.over(Sharing.byRemainder(sized(11))).batchSize(2).numWorkers(3).build()) {
      assertThat(loader.verifyCoverage().toString())
          .isEqualTo("Every row once: 11 rows delivered of 11.");
    }
    try (SampleLoader<Long, ?> loader =
        DataLoader.over(new Numbers(11)).batchSize(4).dropLast(true).numWorkers(2).build()) {
      CoverageReport report = loader.verifyCoverage();
      assertThat(report.missing()).containsExactly(8L, 9L, 10L);
      assertThat(report.delivered()).isEqualTo(8);
    }
    try (SampleLoader<Long, ?> loader =
        DataLoader.over(new Numbers(10))
            .sampler(new DistributedSampler(10, 3, 0).withoutShuffle())
            .build()) {
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
        try (SampleLoader<Long, Long> loader =
            DataLoader.over(new Numbers(10))
                .sampler(new DistributedSampler(10, 3, rank))
                .numWorkers(rank)
                .unbatched()
                .build()) {
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

  // --- End

  private static Collator<Long, Batch> tensors() {
    return (rows, batch) -> {
      var memory = batch.tensor("n", DType.INT64, Shape.of(rows.size())).memory();
      for (int i = 0; i < rows.size(); i++) {
        memory.setAtIndex(ValueLayout.JAVA_LONG, i, rows.get(i));
      }
      return batch.build(rows.size());
    };
  }

  @Test
  void everyEndFreesEverything() {
    for (int workers : WORKERS) {
      for (int taken : new int[] {0, 1, 3, 7}) {
        for (boolean iterator : new boolean[] {true, false}) {
          SampleLoader<Long, Batch> loader =
              DataLoader.over(new Numbers(20))
                  .batchSize(3)
                  .numWorkers(workers)
                  .collate(tensors())
                  .build();
          EpochIterator<Batch> epoch = loader.iterator();
          for (int i = 0; i < taken; i++) {
            try (Batch batch = epoch.next()) {
              assertThat(batch.tensor("n").getLong(0)).isEqualTo(3L * i);
            }
          }
          if (iterator) {
            epoch.close();
            assertThat(epoch.hasNext()).isFalse();
          }
          loader.close();
          loader.close();
          assertThat(loader.stats().memoryBytes())
              .as("%s workers, %s taken", workers, taken)
              .isZero();
          assertThat(workersAlive()).isEmpty();
          assertThatThrownBy(loader::iterator).isInstanceOf(IllegalStateException.class);
          assertThatThrownBy(epoch::next)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("closed");
        }
      }
    }
  }

  private static List<String> workersAlive() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.startsWith("penstock-worker"))
        .toList();
  }

  @Test
  void batchOutlivesItsLoader() {
    SampleLoader<Long, Batch> loader =
        DataLoader.over(new Numbers(20)).batchSize(3).numWorkers(2).collate(tensors()).build();
    Batch batch = loader.iterator().next();
    loader.close();
    assertThat(batch.tensor("n").getLong(2)).isEqualTo(2);
    assertThat(loader.stats().memoryBytes()).isPositive();
    batch.close();
    assertThat(loader.stats().memoryBytes()).isZero();
  }

  @Test
  void collatorThatFailsGivesItsMemoryBack() {
    Collator<Long, Batch> failing =
        (_, batch) -> {
          batch.tensor("n", DType.INT64, Shape.of(2));
          throw new IllegalStateException("no batch");
        };
    SampleLoader<Long, Batch> loader =
        DataLoader.over(new Numbers(4)).batchSize(2).numWorkers(1).collate(failing).build();
    EpochIterator<Batch> epoch = loader.iterator();
    assertThatThrownBy(epoch::next).hasMessageContaining("no batch");
    assertThatThrownBy(epoch::next).hasMessageContaining("no batch");
    loader.close();
    assertThat(loader.stats().memoryBytes()).isZero();
  }

  @Test
  void laterEpochEndsTheOneBefore() {
    try (SampleLoader<Long, Long> loader =
        DataLoader.over(new Numbers(9)).numWorkers(2).unbatched().build()) {
      EpochIterator<Long> first = loader.iterator();
      assertThat(first.next()).isZero();
      EpochIterator<Long> second = loader.iterator();
      assertThat(second.next()).isZero();
      assertThatThrownBy(first::next)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("Cannot continue epoch 0: a later epoch was started.");
      assertThat(second.next()).isOne();
      assertThat(second.epoch()).isOne();
    }
  }

  @Test
  void closingFromAnotherThreadWakesTheConsumer() throws InterruptedException {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch gate = new CountDownLatch(1);
    MapDataset<Long> dataset =
        new MapDataset<>() {
          @Override
          public long size() {
            return 5;
          }

          @Override
          public Long get(long index) {
            reading.countDown();
            await(gate);
            return index;
          }
        };
    SampleLoader<Long, Long> loader = DataLoader.over(dataset).numWorkers(1).unbatched().build();
    EpochIterator<Long> epoch = loader.iterator();
    List<Throwable> thrown = new ArrayList<>();
    Thread consumer = Thread.ofPlatform().start(() -> thrown.add(catchThrowable(epoch::next)));
    reading.await();
    Thread closer = Thread.ofPlatform().start(loader::close);
    consumer.join();
    assertThat(thrown.getFirst()).hasMessageContaining("the loader is closed");
    gate.countDown();
    closer.join();
    assertThat(workersAlive()).isEmpty();
  }
}
