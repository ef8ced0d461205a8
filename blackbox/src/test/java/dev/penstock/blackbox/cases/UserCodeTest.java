package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.penstock.CollatedLoader;
import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.Loader;
import dev.penstock.SampleLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.WorkerException;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Collator;
import dev.penstock.blackbox.contract.Failure;
import dev.penstock.blackbox.contract.Leaks;
import dev.penstock.blackbox.contract.Workers;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.compose.Composition;
import dev.penstock.data.Datasets;
import dev.penstock.data.IterableDataset;
import dev.penstock.data.MapDataset;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Shuffle;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Code of the user that throws what it likes, waits for ever and calls the loader back; in both
/// kinds of loaders.
class UserCodeTest {
  @TempDir static Path path;

  /// 120 rows in 2 files.
  @BeforeAll
  static void writeFiles() throws IOException {
    new Folder(path).counting(new int[] {20, 40}, new int[] {60});
  }

  @AfterEach
  void nothingIsLeft() {
    awaitNoThreads();
    Leaks.assertNoOpenFiles(path);
  }

  /// Threads whose code calls `close()` end a moment after it.
  private static void awaitNoThreads() {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("penstock-worker")) {
        try {
          thread.join(Failure.HANG.toMillis());
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
    }
    Leaks.assertNoThreads();
  }

  private static DataLoader files(int workers) {
    return DataLoader.of(
        new StructuredDataset(path.toString()),
        LoaderOptions.defaults().batchSize(10).workers(workers));
  }

  private static SampleLoader<Long, Long> objects(int workers, Function<Long, Long> row) {
    MapDataset<Long> dataset =
        new MapDataset<>() {
          @Override
          public long size() {
            return 12;
          }

          @Override
          public Long get(long index) {
            return row.apply(index);
          }
        };
    return DataLoader.of(dataset, o -> o.workers(workers).unbatched());
  }

  private static void waitForEver() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static void closeElsewhere(AutoCloseable loader) throws InterruptedException {
    Thread closing =
        Thread.ofPlatform()
            .start(() -> {
              try {
                loader.close();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    closing.join();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void epochThatWasStoppedDoesNotLookComplete(int workers) throws Exception {
    IterableDataset<Long> stream = () -> LongStream.range(0, 12).iterator();
    for (int taken = 0; taken <= 12; taken++) {
      for (boolean known : new boolean[] {true, false}) {
        for (boolean asked : new boolean[] {true, false}) {
          SampleLoader<Long, Long> loader =
              known || workers > 1
                  ? objects(workers, row -> row)
                  : DataLoader.of(stream, o -> o.workers(workers).unbatched());
          EpochIterator<Long> epoch = loader.iterator();
          for (long i = 0; i < taken; i++) {
            assertThat(epoch.next()).isEqualTo(i);
          }
          boolean more = asked && epoch.hasNext();
          closeElsewhere(loader);
          if (taken < 12 || (!known && workers < 2 && !asked)) { // a stream's end was not seen
            assertThat(epoch.hasNext()).isTrue();
            assertThatThrownBy(epoch::next)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Cannot continue epoch 0: the loader is closed.");
          } else {
            assertThat(more).isFalse();
            assertThat(epoch.hasNext()).isFalse();
          }
        }
      }
    }
  }

  @Test
  void twoIteratorsAtOnceAreRefusedInWords() {
    try (SampleLoader<Long, Long> loader = objects(0, row -> row)) {
      assertThatThrownBy(
              () -> {
                for (Long _ : loader) {
                  assertThat(loader).hasSize(12);
                }
              })
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("Cannot continue epoch 0: a later epoch was started.");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void loaderMayBeAskedInItsOwnWorkers(int workers) {
    assertTimeoutPreemptively(
        Failure.HANG,
        () -> {
          try (DataLoader loader = files(workers)) {
            CollatedLoader<Integer> collated =
                loader.collate(batch -> {
                  try (batch) {
                    loader.stats();
                    loader.state();
                    return batch.rowCount();
                  }
                });
            for (int epoch = 0; epoch < 20; epoch++) {
              try (EpochIterator<Integer> left = collated.iterator()) {
                assertThat(left.next()).isEqualTo(10);
              }
              EpochIterator<Integer> whole = collated.iterator();
              assertThat(whole.next()).isEqualTo(10);
            }
          }
          AtomicInteger batches = new AtomicInteger();
          List<SampleLoader<Long, Long>> self = new ArrayList<>();
          self.add(
              objects(
                  workers,
                  row -> {
                    batches.addAndGet((int) self.getFirst().stats().batches());
                    return row;
                  }));
          for (int epoch = 0; epoch < 20; epoch++) {
            assertThat(self.getFirst().iterator().next()).isZero();
          }
          self.getFirst().close();
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void workersMayNotStartEpochsOfTheirOwnLoader(int workers) {
    try (DataLoader loader = files(workers)) {
      CollatedLoader<EpochIterator<Batch>> collated =
          loader.collate(batch -> {
            try (batch) {
              return loader.iterator();
            }
          });
      assertThatThrownBy(() -> collated.iterator().next())
          .hasMessageContaining("Cannot start an epoch of this loader in code that its own worker");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void closingInsideOfAWorkerDoesNotHang(int workers) {
    assertTimeoutPreemptively(
        Failure.HANG,
        () -> {
          DataLoader loader = files(workers);
          CollatedLoader<Integer> collated =
              loader.collate(batch -> {
                try (batch) {
                  loader.close();
                  return 1;
                }
              });
          assertStopped(collated.iterator());
          List<SampleLoader<Long, Long>> self = new ArrayList<>();
          self.add(
              objects(
                  workers,
                  row -> {
                    self.getFirst().close();
                    return row;
                  }));
          assertStopped(self.getFirst().iterator());
          awaitNoThreads();
          assertThat(loader.stats().memory().bytes()).isZero();
        });
  }

  /// Two workers are in the function; one of them ends the epoch, which does not wait then.
  @Test
  void batchInTheFunctionKeepsItsMemoryWhenTheEpochEnds() {
    assertTimeoutPreemptively(
        Failure.HANG,
        () -> {
          CyclicBarrier together = new CyclicBarrier(2);
          List<Boolean> isWhole = new CopyOnWriteArrayList<>();
          LoaderOptions options =
              LoaderOptions.defaults().batchSize(10).workers(2).poisonMemory(true);
          DataLoader loader = DataLoader.of(new StructuredDataset(path.toString()), options);
          CollatedLoader<Integer> collated =
              loader.collate(batch -> {
                try (batch) {
                  long first = batch.tensor("id").getLong(0);
                  if (together.await() == 0) {
                    loader.close();
                  }
                  together.await();
                  isWhole.add(batch.tensor("id").getLong(9) == first + 9);
                  return 1;
                }
              });
          EpochIterator<Integer> epoch = collated.iterator();
          awaitNoThreads();
          assertStopped(epoch);
          assertThat(isWhole).containsExactly(true, true);
          assertThat(loader.stats().memory().bytes()).isZero();
        });
  }

  /// Without workers the batch that is being made may still come.
  private static void assertStopped(Iterator<?> epoch) {
    assertThatThrownBy(
            () -> {
              while (epoch.hasNext()) {
                epoch.next();
              }
            })
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot continue epoch 0: the loader is closed.");
  }

  private static DataLoader counted(int workers, Consumer<AtomicReference<DataLoader>> code) {
    AtomicReference<DataLoader> self = new AtomicReference<>();
    LoaderOptions options =
        LoaderOptions.defaults()
            .batchSize(10)
            .workers(workers)
            .transform((block, _) -> {
              if (block.rowCount() > 0) {
                code.accept(self);
              }
              return block;
            })
            .compose(Composition.draws("id"));
    self.set(DataLoader.of(new StructuredDataset(path.toString()), options));
    return self.get();
  }

  /// In the pass that counts for a composition, asking for the count would wait for itself.
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void transformInAPassCannotWaitForThePass(int workers) {
    assertTimeoutPreemptively(
        Failure.HANG,
        () -> {
          try (DataLoader loader = counted(workers, self -> self.get().batchesPerEpoch())) {
            assertThatThrownBy(loader::iterator)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Cannot transform rows ")
                .cause()
                .hasMessage(
                    "Cannot start an epoch of this loader in code that its own worker runs. Make"
                        + " another loader there.");
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void transformInAPassMayCloseTheLoader(int workers) {
    assertTimeoutPreemptively(
        Failure.HANG,
        () -> {
          DataLoader loader = counted(workers, self -> self.get().close());
          assertThatThrownBy(loader::iterator)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("closed");
          assertThat(loader.stats().memory().bytes()).isZero();
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  @Tag("outer") // waits for the interrupt, 3 seconds
  void transformInAPassThatWaitsForEverDoesNotHinderAnEnd(int workers) {
    assertTimeoutPreemptively(
        Failure.HANG,
        () -> {
          CountDownLatch reached = new CountDownLatch(1);
          DataLoader loader =
              counted(
                  workers,
                  _ -> {
                    reached.countDown();
                    waitForEver();
                  });
          Thread closing =
              Thread.ofPlatform()
                  .start(() -> {
                    try {
                      reached.await();
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                    loader.close();
                  });
          assertThatThrownBy(loader::iterator)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("closed");
          closing.join();
        });
  }

  /// An interrupt makes the end interrupt the workers at once.
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void codeThatWaitsForEverDoesNotHinderAnEnd(int workers) {
    assertTimeoutPreemptively(
        Failure.HANG,
        () -> {
          CountDownLatch reached = new CountDownLatch(1);
          DataLoader loader = files(workers);
          CollatedLoader<Integer> collated =
              loader.collate(batch -> {
                try (batch) {
                  reached.countDown();
                  waitForEver();
                  return 1;
                }
              });
          EpochIterator<Integer> first = collated.iterator();
          reached.await();
          Thread.currentThread().interrupt();
          EpochIterator<Integer> second = collated.iterator(); // ends the first epoch
          assertThat(second.epoch()).isEqualTo(first.epoch() + 1);
          assertThat(Thread.currentThread().isInterrupted()).isTrue();
          collated.close();
          assertThat(Thread.interrupted()).isTrue();
          assertThat(loader.stats().memory().bytes()).isZero();
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void resultsThatCannotBeClosedEndNoWorker(int workers) {
    record Unclosable() implements AutoCloseable {
      @Override
      public void close() {
        throw new AssertionError("close");
      }
    }

    try (DataLoader loader = files(workers);
        SampleLoader<Long, Unclosable> objects =
            DataLoader.of(
                Datasets.range(30),
                o ->
                    o.batchSize(2)
                        .workers(workers)
                        .collate((Collator<Long, Unclosable>) (_, _) -> new Unclosable()))) {
      CollatedLoader<Unclosable> collated =
          loader.collate(batch -> {
            batch.close();
            return new Unclosable();
          });
      for (int epoch = 0; epoch < 4; epoch++) {
        assertThat(collated.iterator().next()).isNotNull();
        assertThat(objects.iterator().next()).isNotNull();
      }
      assertThat(collated).hasSize(12);
      assertThat(objects).hasSize(15);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void loaderWorksWithinAWorkerOfAnother(int workers) {
    for (int inner : new int[] {0, 1}) {
      try (SampleLoader<Long, Long> loader =
          objects(
              workers,
              _ -> {
                long sum = 0;
                try (SampleLoader<Long, Long> within =
                    DataLoader.of(Datasets.range(3), o -> o.workers(inner).unbatched())) {
                  for (long row : within) {
                    sum += row;
                  }
                }
                return sum;
              })) {
        assertThat(loader).hasSize(12).containsOnly(3L);
      }
    }
  }

  @Test
  void interruptWakesTheConsumer() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    try (SampleLoader<Long, Long> loader =
        objects(
            1,
            row -> {
              try {
                gate.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              return row;
            })) {
      EpochIterator<Long> epoch = loader.iterator();
      Thread.currentThread().interrupt();
      assertThatThrownBy(epoch::next)
          .isInstanceOf(UncheckedIOException.class)
          .hasCauseInstanceOf(InterruptedIOException.class)
          .hasMessageContaining("Ask for it again to go on");
      assertThat(Thread.interrupted()).isTrue();
      gate.countDown();
      assertThat(epoch.next()).isZero();
    }
  }

  @Test
  void filesHaveATimeoutToo() {
    CountDownLatch gate = new CountDownLatch(1);
    LoaderOptions options =
        LoaderOptions.defaults().batchSize(10).workers(1).timeout(Duration.ofMillis(1));
    try (DataLoader loader = DataLoader.of(new StructuredDataset(path.toString()), options)) {
      CollatedLoader<Integer> collated =
          loader.collate(batch -> {
            try (batch) {
              gate.await();
              return batch.rowCount();
            }
          });
      EpochIterator<Integer> epoch = collated.iterator();
      assertThatThrownBy(epoch::next)
          .isInstanceOf(WorkerException.class)
          .hasMessage(
              "Cannot wait longer for the next batch of epoch 0: no batch came within PT0.001S."
                  + " Ask again to wait again, or set a longer timeout.");
      gate.countDown();
      Integer rows = null;
      while (rows == null) {
        try {
          rows = epoch.next();
        } catch (WorkerException e) {
          assertThat(e).hasMessageContaining("no batch came within");
        }
      }
      assertThat(rows).isEqualTo(10);
      assertThatThrownBy(() -> options.timeout(Duration.ofSeconds(-1)))
          .hasMessage("timeout must be zero or more, got PT-1S.");
    }
  }

  @Test
  void optionsOfReadAheadDoNothingWithoutWorkers() {
    try (DataLoader loader =
        DataLoader.of(
            new StructuredDataset(path.toString()),
            o -> o.batchSize(10).workers(0).prefetchFactor(4).timeout(Duration.ofNanos(1)))) {
      long batches = 0;
      for (Batch batch : loader) {
        batch.close();
        batches++;
      }
      assertThat(batches).isEqualTo(loader.batchesPerEpoch());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void resultsAheadAreAsManyAsPrefetchFactorSays(boolean inOrder) {
    for (int workers : new int[] {0, 1, 2}) {
      for (int factor : new int[] {1, 3}) {
        LoaderOptions options =
            LoaderOptions.defaults()
                .batchSize(2)
                .workers(workers)
                .prefetchFactor(factor)
                .inOrder(inOrder);
        AtomicInteger made = new AtomicInteger();
        try (DataLoader loader = DataLoader.of(new StructuredDataset(path.toString()), options)) {
          CollatedLoader<Integer> collated =
              loader.collate(batch -> {
                try (batch) {
                  return made.incrementAndGet();
                }
              });
          EpochIterator<Integer> epoch = collated.iterator();
          for (int taken = 1; taken <= 60; taken++) {
            epoch.next();
            int ahead = Math.min(taken + workers * factor, 60);
            Workers.awaitRest(() -> made.get() >= ahead);
            assertThat(made).hasValue(ahead);
          }
          assertThat(epoch.hasNext()).isFalse();
        }
      }
    }
  }

  @Test
  @SuppressWarnings("NullAway") // that is the point
  void nullsAreRefusedByName() {
    LoaderOptions options = LoaderOptions.defaults();
    assertThatThrownBy(() -> options.shuffle(null)).hasMessage("shuffle must not be null.");
    assertThatThrownBy(() -> options.output(null)).hasMessage("output must not be null.");
    assertThatThrownBy(() -> options.transform(null)).hasMessage("transform must not be null.");
    assertThatThrownBy(() -> options.rank(null)).hasMessage("rank must not be null.");
    assertThatThrownBy(() -> options.memory((String) null)).hasMessage("memory must not be null.");
    assertThatThrownBy(() -> options.timeout(null)).hasMessage("timeout must not be null.");
    try (DataLoader loader = files(0)) {
      assertThatThrownBy(() -> loader.collate(null)).hasMessage("collate must not be null.");
    }
    assertThatThrownBy(() -> DataLoader.of(Datasets.range(3), o -> o.sampler(null)))
        .hasMessage("sampler must not be null.");
  }

  @Test
  void bufferThatWasKeptShowsNonsenseWhereThatWasAskedFor() {
    LoaderOptions options = LoaderOptions.defaults().batchSize(10).workers(0).poisonMemory(true);
    try (DataLoader loader = DataLoader.of(new StructuredDataset(path.toString()), options)) {
      Batch batch = loader.iterator().next();
      ByteBuffer kept = batch.tensor(batch.names().iterator().next()).asByteBuffer();
      assertThat(kept.get(kept.limit() - 1)).isZero(); // of a small number
      batch.close();
      assertThat(kept.get(0)).isEqualTo((byte) 0xfe);
      assertThat(kept.get(kept.limit() - 1)).isEqualTo((byte) 0xfe);
    }
    try (SampleLoader<Long, Batch> loader =
        DataLoader.of(Datasets.range(8), o -> o.batchSize(8).poisonMemory(true))) {
      Batch batch = loader.iterator().next();
      ByteBuffer kept = batch.tensor(batch.names().iterator().next()).asByteBuffer();
      batch.close();
      assertThat(kept.get(0)).isEqualTo((byte) 0xfe);
    }
  }

  @Test
  void threadsOfALoaderThatNobodyCanReachEnd(@TempDir Path cache) {
    begin(cache);
    awaitEndOfWorkers();
  }

  /// As in an application that is undeployed: its class loader is closed, so that what the warning
  /// needs cannot be loaded any more.
  @Test
  void threadsOfALoaderThatNobodyCanReachEndThoughTheWarningFails() {
    AtomicBoolean isWarned = new AtomicBoolean();
    withFailingLog(
        isWarned,
        () -> {
          DataLoader.of(new StructuredDataset(path.toString()), LoaderOptions.defaults().workers(2))
              .iterator()
              .next()
              .close();
          awaitEndOfWorkers();
          await(isWarned::get);
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void batchesThatNobodyReceivedAreClosedThoughClosingThemAndTheWarningFail(boolean ofObjects) {
    AtomicInteger made = new AtomicInteger();
    AtomicInteger closed = new AtomicInteger();
    AtomicBoolean isWarned = new AtomicBoolean();
    Supplier<AutoCloseable> make =
        () -> {
          made.incrementAndGet();
          return () -> {
            closed.incrementAndGet();
            throw new IllegalStateException("It does not close.");
          };
        };
    Loader<AutoCloseable> loader = ofObjects ? objects(make) : files(make);
    withFailingLog(
        isWarned,
        () -> {
          loader.iterator().next();
          await(() -> made.get() > 4);
          loader.close();
        });
    assertThat(isWarned).isTrue();
    assertThat(closed).hasValue(made.get() - 1);
  }

  private static Loader<AutoCloseable> objects(Supplier<AutoCloseable> make) {
    return DataLoader.of(
        Datasets.range(1000),
        o -> o.batchSize(10).workers(2).prefetchFactor(4).collate((_, _) -> make.get()));
  }

  private static Loader<AutoCloseable> files(Supplier<AutoCloseable> make) {
    LoaderOptions options = LoaderOptions.defaults().batchSize(10).workers(2).prefetchFactor(4);
    return DataLoader.of(new StructuredDataset(path.toString()), options)
        .collate(batch -> {
          batch.close();
          return make.get();
        });
  }

  /// @param isWarned set by the first warning, which fails as all do
  private static void withFailingLog(AtomicBoolean isWarned, Runnable action) {
    PrintStream before = System.err;
    OutputStream failing =
        new OutputStream() {
          @Override
          public void write(int letter) {
            isWarned.set(true);
            throw new NoClassDefFoundError("The class loader is closed.");
          }
        };
    System.setErr(new PrintStream(failing, true, StandardCharsets.UTF_8));
    try {
      action.run();
    } finally {
      System.setErr(before);
    }
  }

  private static void await(BooleanSupplier condition) {
    assertTimeoutPreemptively(
        Failure.HANG,
        () -> {
          while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
          }
        });
  }

  private static void awaitEndOfWorkers() {
    AtomicBoolean ended = new AtomicBoolean();
    assertTimeoutPreemptively(
        Failure.HANG,
        () -> {
          while (!ended.get()) {
            System.gc();
            ended.set(
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("penstock-worker")));
          }
        });
  }

  private static void begin(Path cache) {
    StructuredDataset files = new StructuredDataset(path.toString());
    StructuredDataset cached = files.cache(cache.toString(), "64MiB");
    LoaderOptions options = LoaderOptions.defaults().batchSize(10).workers(2);
    DataLoader.of(files, options).iterator().next().close();
    DataLoader.of(files, options.record(true)).iterator().next().close();
    DataLoader.of(files, options.compose(Composition.draws("id"))).iterator().next().close();
    DataLoader.of(files, options.transform((block, _) -> block)).iterator().next().close();
    DataLoader.of(cached, options.shuffle(Shuffle.global())).iterator().next().close();
    assertThat(DataLoader.of(files, options).collate(UserCodeTest::rows).iterator().next())
        .isEqualTo(10);
    objects(2, row -> row).iterator().next();
  }

  private static int rows(Batch batch) {
    try (batch) {
      return batch.rowCount();
    }
  }
}
