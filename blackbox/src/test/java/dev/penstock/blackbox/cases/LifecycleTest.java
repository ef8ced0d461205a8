package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.SavedPlan;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.Tensor;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.contract.Failure;
import dev.penstock.blackbox.contract.Leaks;
import dev.penstock.blackbox.files.FaultStorage;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.options.LoaderOptions;
import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.split.Shuffle;
import dev.penstock.stats.LoaderStats;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Closing, leaving and going on, at any moment and from any thread.
class LifecycleTest {
  @TempDir static Path path;
  private FaultStorage.Site site;
  private StructuredDataset dataset;

  /// 300 rows in 6 files.
  @BeforeAll
  static void writeFiles() throws IOException {
    new Folder(path)
        .counting(
            new int[] {20, 30},
            new int[] {50},
            new int[] {50},
            new int[] {1, 49},
            new int[] {50},
            new int[] {50});
  }

  @BeforeEach
  void openSite() {
    site = FaultStorage.over(path);
    dataset = new StructuredDataset(site.location());
  }

  @AfterEach
  void nothingIsLeft() {
    Leaks.assertNoThreads();
    Leaks.assertNoOpenFiles(path);
    assertThat(site.openFiles()).isZero();
  }

  private DataLoader loader(LoaderOptions options) {
    return DataLoader.of(dataset, options);
  }

  private static LoaderOptions options(int workers) {
    return LoaderOptions.defaults().batchSize(7).workers(workers).prefetchFactor(1);
  }

  @Test
  void nothingIsOpenedBeforeItIsAskedFor() {
    StructuredDataset nowhere = new StructuredDataset("/no/such/folder");
    try (DataLoader loader = DataLoader.of(nowhere, options(2))) {
      assertThat(loader.stats().memory().peakBytes()).isZero();
      Leaks.assertNoThreads();
    }
  }

  @Test
  void closingTwiceDoesNothing() {
    DataLoader loader = loader(options(2));
    EpochIterator<Batch> epoch = loader.iterator();
    Batch batch = epoch.next();
    batch.close();
    batch.close();
    epoch.close();
    epoch.close();
    loader.close();
    loader.close();
    epoch.close();
    Leaks.assertNone(loader, path);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closingDoesNotWaitForWhatIsListedOrReadToPlan(boolean isListing) throws Exception {
    try (FaultStorage.Gate gate = new FaultStorage.Gate()) {
      if (isListing) {
        site.onList(gate);
      } else {
        site.onOpen(gate);
      }
      DataLoader loader = loader(options(2));
      FutureTask<EpochIterator<Batch>> planning = new FutureTask<>(loader::iterator);
      Thread planner = Thread.ofPlatform().start(planning);
      gate.awaitArrival();
      assertTimeoutPreemptively(
          Failure.HANG,
          () -> {
            assertThat(loader.stats().rows()).isZero();
            loader.close();
          });
      assertThat(planning.isDone()).isFalse();
      gate.open();
      planner.join();
      assertThatThrownBy(planning::get)
          .cause()
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("Cannot use this loader: it is closed. Make a new one.");
    }
    try (DataLoader other = loader(options(2))) { // of the same dataset
      assertThat(other.batchesPerEpoch()).isEqualTo(43);
    }
  }

  @Test
  void closedBatchCannotBeRead() {
    try (DataLoader loader = loader(options(1))) {
      Batch batch = loader.iterator().next();
      Tensor tensor = batch.tensor("id");
      assertThat(tensor.getLong(6)).isEqualTo(6);
      batch.close();
      for (org.assertj.core.api.ThrowableAssert.ThrowingCallable use :
          List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
              () -> batch.tensor("id"),
              () -> tensor.getLong(0),
              () -> tensor.getDouble(0),
              tensor::memory,
              tensor::asByteBuffer,
              tensor::toArray)) {
        assertThatThrownBy(use)
            .isInstanceOf(IllegalStateException.class)
            .hasMessage(
                "Cannot use this batch: it is closed and its memory belongs to a later one. Read or"
                    + " copy what you need before close().");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void batchesHeldOpenKeepTheirRowsWhenTheLoaderIsClosed(int workers) {
    List<Batch> held = new ArrayList<>();
    DataLoader loader = loader(options(workers));
    loader.iterator().forEachRemaining(held::add);
    loader.close();
    assertThat(held).hasSize(43);
    long id = 0;
    for (Batch batch : held) {
      for (int row = 0; row < batch.rowCount(); row++) {
        assertThat(batch.tensor("id").getLong(row)).isEqualTo(id++);
      }
    }
    assertThat(loader.stats().memory().bytes()).isPositive();
    held.forEach(Batch::close);
    Leaks.assertNone(loader, path);
  }

  @Test
  void listsAndArraysOutliveTheirBatch() {
    try (DataLoader loader = loader(options(1).output(OutputFormat.ARRAY))) {
      Batch batch = loader.iterator().next();
      long[] ids = batch.array("id", long[].class);
      batch.close();
      assertThat(ids).containsExactly(0, 1, 2, 3, 4, 5, 6);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void closedLoaderCannotBeUsed(int workers) {
    DataLoader loader = loader(options(workers));
    EpochIterator<Batch> epoch = loader.iterator();
    epoch.next().close();
    loader.close();
    assertThatThrownBy(epoch::next)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot continue epoch 0: the loader is closed.");
    assertThatThrownBy(loader::iterator)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot use this loader: it is closed. Make a new one.");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void closedIteratorCannotBeUsedAndTheLoaderGoesOn(int workers) {
    try (DataLoader loader = loader(options(workers))) {
      EpochIterator<Batch> epoch = loader.iterator();
      epoch.next().close();
      epoch.close();
      assertThat(epoch.hasNext()).isFalse();
      assertThatThrownBy(epoch::next)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("Cannot continue epoch 0: its iterator is closed.");
      assertThat(Delivery.ofEpoch(loader).ids()).hasSize(300);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void laterEpochEndsTheEarlier(int workers) {
    try (DataLoader loader = loader(options(workers))) {
      EpochIterator<Batch> first = loader.iterator();
      first.next().close();
      EpochIterator<Batch> second = loader.iterator();
      assertThatThrownBy(first::next)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("Cannot continue epoch 0: a later epoch was started.");
      first.close();
      assertThat(second.epoch()).isEqualTo(1);
      assertThat(Delivery.of(second, loader).ids()).hasSize(300).startsWith(0L);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void finishedEpochHasNoMore(int workers) {
    try (DataLoader loader = loader(options(workers))) {
      EpochIterator<Batch> epoch = loader.iterator();
      assertThat(Delivery.of(epoch, loader).ids()).hasSize(300);
      assertThat(epoch.hasNext()).isFalse();
      assertThatThrownBy(epoch::next)
          .isInstanceOf(NoSuchElementException.class)
          .hasMessage("Epoch 0 has no more batches.");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 4})
  void leavingTheLoopEarlyLeavesNothingBehind(int workers) {
    for (int times = 0; times < 20; times++) {
      DataLoader loader = loader(options(workers));
      try (loader) {
        for (Batch batch : loader) {
          try (batch) {
            if (batch.tensor("id").getLong(0) >= times * 14L) {
              break;
            }
          }
        }
      }
      Leaks.assertNone(loader, path);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void leavingEpochsEarlyNeedsNoMoreMemoryEachTime(int workers) {
    try (DataLoader loader = loader(options(workers))) {
      long peak = 0;
      for (int epoch = 0; epoch < 50; epoch++) {
        loader.iterator().next().close();
        if (epoch == 10) {
          peak = loader.stats().memory().peakBytes();
        }
      }
      assertThat(loader.stats().memory().peakBytes()).isLessThanOrEqualTo(2 * peak);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void whatTheConsumerThrowsPassesThrough(int workers) {
    DataLoader loader = loader(options(workers));
    assertThatThrownBy(
            () -> {
              try (loader) {
                for (Batch batch : loader) {
                  try (batch) {
                    throw new UnsupportedOperationException("mine");
                  }
                }
              }
            })
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage("mine")
        .hasNoSuppressedExceptions();
    Leaks.assertNone(loader, path);
  }

  @Test
  void forgottenLoaderIsNoObstacleToAnother() {
    DataLoader forgotten = loader(options(2));
    forgotten.iterator().next().close();
    try (DataLoader loader = loader(options(2))) {
      assertThat(Delivery.ofEpoch(loader).ids()).hasSize(300);
    }
    forgotten.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 4})
  void closingWakesAConsumerThatWaits(int workers) {
    var _ = dataset.files();
    FaultStorage.Gate gate = new FaultStorage.Gate();
    site.onRead(gate);
    DataLoader loader = loader(options(workers));
    assertTimeoutPreemptively(
        Failure.HANG,
        () -> {
          FutureTask<Batch> waiting = started(() -> loader.iterator().next());
          gate.awaitArrival();
          Thread closing = Thread.ofPlatform().daemon().start(loader::close);
          if (workers > 0) {
            // The consumer is free at once, although a worker still waits for the store.
            assertClosed(waiting);
          } else {
            // The consumer is itself at the store; close() waits for it.
            while (closing.getState() != Thread.State.TIMED_WAITING) {
              Thread.onSpinWait();
            }
          }
          gate.open();
          closing.join();
          assertClosed(waiting);
        });
    Leaks.assertNone(loader, path);
  }

  private enum Silence {
    AT_A_FOOTER,
    AT_ROWS,
    AT_THE_NEXT_FILE
  }

  /// The store is behind a network, and ignores interrupts. What it holds is freed when it answers.
  @Test
  void closingDoesNotWaitForAStoreThatNeverAnswers(@TempDir Path plans) {
    CountDownLatch answer = new CountDownLatch(1);
    Map<DataLoader, FaultStorage.Site> silent = new LinkedHashMap<>();
    assertTimeoutPreemptively(
        Failure.HANG,
        () -> {
          List<FutureTask<Void>> closing = new ArrayList<>();
          for (Silence silence : Silence.values()) {
            FaultStorage.Site store = FaultStorage.over(path);
            DataLoader loader = reading(store, silence, answer, plans);
            silent.put(loader, store);
            closing.add(
                started(() -> {
                  loader.close();
                  return null;
                }));
          }
          for (FutureTask<Void> each : closing) {
            each.get();
          }
          answer.countDown();
          for (Thread thread : Leaks.threads()) {
            thread.join();
          }
          silent.forEach((loader, store) -> {
            while (loader.stats().memory().bytes() > 0 || store.openFiles() > 0) {
              Thread.onSpinWait(); // a virtual thread frees what is left
            }
          });
          silent.keySet().forEach(loader -> Leaks.assertNone(loader, path));
        });
  }

  /// Returns a loader of which a thread waits for the store.
  private static DataLoader reading(
      FaultStorage.Site store, Silence silence, CountDownLatch answer, Path plans)
      throws InterruptedException {
    store.advice(new FetchAdvice(4, 0, 1 << 20, Optional.empty()));
    StructuredDataset files = new StructuredDataset(store.location());
    if (silence == Silence.AT_A_FOOTER) {
      String plan = plans + "/plan";
      assertThat(files.savePlan(plan).isNew()).isTrue();
      files = new StructuredDataset(store.location()).plan(plan);
    }
    assertThat(files.files()).hasSize(6);
    CountDownLatch asked = new CountDownLatch(1);
    FaultStorage.Fault silent =
        location -> {
          if (silence != Silence.AT_THE_NEXT_FILE || location.name().equals("part-1.parquet")) {
            asked.countDown();
            insist(answer);
          }
        };
    if (silence == Silence.AT_THE_NEXT_FILE) {
      store.onOpen(silent);
    } else {
      store.onRead(silent);
    }
    DataLoader loader = DataLoader.of(files, options(1));
    EpochIterator<Batch> _ = loader.iterator();
    asked.await();
    return loader;
  }

  @Test
  void interruptEndsTheWaitForAFooterThatAnotherLoaderReads(@TempDir Path plans) {
    SavedPlan plan = dataset.savePlan(plans + "/plan");
    StructuredDataset planned = dataset.plan(plan.location().toString());
    assertThat(planned.files()).hasSize(6);
    assertTimeoutPreemptively(
        Failure.HANG,
        () -> {
          FaultStorage.Gate gate = new FaultStorage.Gate();
          site.onRead(gate);
          try (DataLoader reading = DataLoader.of(planned, options(1));
              DataLoader waiting = DataLoader.of(planned, options(0));
              gate) {
            EpochIterator<Batch> _ = reading.iterator();
            gate.awaitArrival();
            FutureTask<Batch> batch = new FutureTask<>(() -> waiting.iterator().next());
            Thread consumer = Thread.ofPlatform().daemon().start(batch);
            while (consumer.getState() == Thread.State.RUNNABLE) {
              Thread.onSpinWait();
            }
            consumer.interrupt();
            assertThatThrownBy(batch::get)
                .cause()
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("Interrupted while waiting for batch 0 of the epoch.");
          }
        });
  }

  private static void insist(CountDownLatch gate) {
    boolean isOpen = false;
    while (!isOpen) {
      try {
        gate.await();
        isOpen = true;
      } catch (InterruptedException _) {
        // as such a store does
      }
    }
  }

  private static void assertClosed(FutureTask<Batch> waiting) {
    assertThatThrownBy(waiting::get)
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot continue epoch 0: the loader is closed.");
  }

  private static <T> FutureTask<T> started(java.util.concurrent.Callable<T> task) {
    FutureTask<T> future = new FutureTask<>(task);
    Thread.ofPlatform().daemon().start(future);
    return future;
  }

  @Seeded(runs = 60)
  void closingAtAnyMomentFreesEverything(Random random) {
    LoaderOptions options =
        options(random.nextInt(4))
            .prefetchFactor(1 + random.nextInt(3))
            .batchSize(1 + random.nextInt(60));
    int closeAtRead = random.nextInt(40);
    int closeAtBatch = random.nextInt(60);
    DataLoader loader = loader(options);
    CountDownLatch moment = new CountDownLatch(1);
    AtomicInteger reads = new AtomicInteger();
    site.onRead(_ -> {
      if (reads.incrementAndGet() == closeAtRead) {
        moment.countDown();
      }
    });
    assertTimeoutPreemptively(
        Failure.HANG,
        () -> {
          FutureTask<Void> closing =
              started(() -> {
                moment.await();
                loader.close();
                return null;
              });
          int batches = 0;
          long id = 0;
          try {
            for (int epoch = 0; epoch < 3; epoch++) {
              id = 0;
              for (Batch batch : loader) {
                try (batch) {
                  assertThat(batch.tensor("id").getLong(0)).isEqualTo(id);
                  id += batch.rowCount();
                }
                if (++batches == closeAtBatch) {
                  moment.countDown();
                }
              }
            }
          } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining("closed");
          }
          moment.countDown();
          closing.get();
        });
    Leaks.assertNone(loader, path);
    assertThat(site.openFiles()).isZero();
  }

  /// Without workers the consumer reads itself, and an interrupt closes the file under it.
  @Test
  void interruptOfAConsumerThatReadsItselfLosesNoBatch() {
    LoaderOptions plain = options(0).nulls(NullPolicy.mask());
    for (LoaderOptions options :
        List.of(
            plain, plain.shuffle(Shuffle.window(80)), plain.transform((block, _) -> block, 11))) {
      List<Long> expected;
      try (DataLoader loader = loader(options)) {
        expected = Delivery.ofEpoch(loader).ids();
      }
      try (DataLoader loader = loader(options)) {
        EpochIterator<Batch> epoch = loader.iterator();
        assertThat(idsOfAnInterruptedConsumer(epoch)).isEqualTo(expected);
      }
    }
  }

  private List<Long> idsOfAnInterruptedConsumer(EpochIterator<Batch> epoch) {
    AtomicInteger reads = new AtomicInteger();
    site.onRead(_ -> {
      if (Integer.bitCount(reads.incrementAndGet()) == 1) { // ever more rarely
        Thread.currentThread().interrupt();
      }
    });
    Thread.currentThread().interrupt();
    List<Long> ids = new ArrayList<>();
    int told = 0;
    int batches = 0;
    boolean isOver = false;
    while (!isOver) {
      try {
        isOver = !epoch.hasNext();
        if (!isOver) {
          try (Batch batch = epoch.next()) {
            batches++;
            for (int row = 0; row < batch.rowCount(); row++) {
              ids.add(batch.tensor("id").getLong(row));
            }
          }
        }
      } catch (UncheckedIOException e) {
        assertThat(Thread.interrupted()).isTrue();
        assertThat(e)
            .hasMessage(
                "Interrupted while waiting for batch %s of the epoch. Ask for it again to go on, or"
                    + " close the loader.",
                batches)
            .hasCauseInstanceOf(InterruptedIOException.class);
        told++;
      }
    }
    site.onRead(_ -> {});
    assertThat(told).isGreaterThan(1);
    return ids;
  }

  @Test
  void interruptEndsTheWaitForABatchAndLosesNone() {
    var _ = dataset.files();
    FaultStorage.Gate gate = new FaultStorage.Gate();
    site.onRead(gate);
    DataLoader loader = loader(options(2));
    try (loader;
        gate) {
      EpochIterator<Batch> epoch = loader.iterator();
      for (int i = 0; i < 2; i++) {
        Thread.currentThread().interrupt();
        assertThatThrownBy(epoch::next)
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageStartingWith("Interrupted while waiting for batch 0 of the epoch.")
            .hasCauseInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
      }
      gate.open();
      int rows = 0;
      while (epoch.hasNext()) {
        try (Batch batch = epoch.next()) {
          rows += batch.rowCount();
        }
      }
      assertThat(rows).isEqualTo(300);
    }
    Leaks.assertNone(loader, path);
  }

  @Test
  void interruptWhileFootersAreReadNamesTheFile() {
    CountDownLatch reading = new CountDownLatch(1);
    site.onRead(_ -> {
      reading.countDown();
      while (!Thread.interrupted()) {
        LockSupport.park();
      }
      throw new ClosedByInterruptException();
    });
    try (DataLoader loader = loader(options(2))) {
      assertTimeoutPreemptively(
          Failure.HANG,
          () -> {
            FutureTask<EpochIterator<Batch>> starting = new FutureTask<>(loader::iterator);
            Thread consumer = Thread.ofPlatform().daemon().start(starting);
            reading.await();
            consumer.interrupt();
            assertThatThrownBy(starting::get)
                .cause()
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage(
                    "Cannot read the footer of %s/part-0.parquet:".formatted(site.location())
                        + " java.nio.channels.ClosedByInterruptException");
          });
      // A failed listing is not kept.
      site.onRead(_ -> {});
      assertThat(Delivery.ofEpoch(loader).ids()).hasSize(300);
    }
  }

  @Test
  void epochsThatCannotBeCountedOnAreRefused() {
    try (DataLoader loader = loader(options(0))) {
      for (long epoch : new long[] {-1, (1L << 53) + 1, Long.MAX_VALUE}) {
        assertThatThrownBy(() -> loader.setEpoch(epoch))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("epoch must be in [0, 9007199254740992], got " + epoch + ".");
      }
      loader.setEpoch(1L << 53);
      assertThat(Delivery.ofEpoch(loader).ids()).hasSize(300);
      LoaderState next = LoaderState.parse(loader.state().toJson());
      assertThat(next.epoch()).isEqualTo((1L << 53) + 1);
      loader.resume(next);
      assertThat(Delivery.ofEpoch(loader).ids()).hasSize(300);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE / 2, Long.MAX_VALUE / 7})
  void promiseBeyondAllRowsIsAnErrorThatSaysForHowManyThereAre(long steps) {
    for (int workers : new int[] {0, 2}) {
      try (DataLoader loader = loader(options(workers).stepsPerEpoch(steps))) {
        EpochIterator<Batch> epoch = loader.iterator();
        for (int batch = 0; batch < 43; batch++) {
          epoch.next().close();
        }
        assertThatThrownBy(epoch::next)
            .isInstanceOf(IllegalStateException.class)
            .hasMessage(
                "Cannot deliver "
                    + steps
                    + " batches, as stepsPerEpoch promises: there are rows for 43. Give a number"
                    + " that every rank has rows for.");
      }
    }
  }

  @Test
  void setEpochKeepsTheStateOfThatEpoch() {
    LoaderState state;
    try (DataLoader loader = loader(options(0))) {
      loader.setEpoch(2);
      try (EpochIterator<Batch> epoch = loader.iterator()) {
        epoch.next().close();
        state = loader.state();
      }
    }
    List<Long> whole;
    try (DataLoader loader = loader(options(0))) {
      loader.setEpoch(2);
      whole = Delivery.ofEpoch(loader).ids();
      loader.resume(state);
      loader.setEpoch(2);
      List<Long> rest = Delivery.ofEpoch(loader).ids();
      assertThat(rest).hasSizeLessThan(whole.size());
      assertThat(rest).isEqualTo(whole.subList(whole.size() - rest.size(), whole.size()));
      loader.setEpoch(2);
      assertThat(Delivery.ofEpoch(loader).ids()).isEqualTo(whole);
      loader.resume(state);
      loader.setEpoch(3);
      assertThat(loader.state().epoch()).isEqualTo(3);
      assertThat(Delivery.ofEpoch(loader).ids()).hasSameSizeAs(whole);
    }
    try (DataLoader other = loader(options(0).seed(99))) {
      other.resume(state);
      assertThatThrownBy(other::iterator).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(other::iterator).isInstanceOf(IllegalArgumentException.class);
      other.setEpoch(2); // it was refused
      assertThat(Delivery.ofEpoch(other).ids()).hasSameSizeAs(whole);
    }
  }

  @Test
  void failedEpochCanBeStartedAgain() {
    var _ = dataset.files();
    site.onOpen(location -> {
      if (location.text().contains("part-2")) {
        throw new IOException("Cannot read '" + location + "': the network is down.");
      }
    });
    for (int workers : new int[] {0, 2}) {
      try (DataLoader loader = loader(options(workers))) {
        EpochIterator<Batch> epoch = loader.iterator();
        List<Long> ids = new ArrayList<>();
        assertThatThrownBy(
                () -> {
                  while (true) {
                    try (Batch batch = epoch.next()) {
                      ids.add(batch.tensor("id").getLong(0));
                    }
                  }
                })
            .hasMessageContaining("the network is down");
        assertThat(ids).hasSize(14);
        assertThatThrownBy(epoch::next).hasMessageContaining("the network is down");
        site.onOpen(_ -> {});
        loader.setEpoch(0);
        assertThat(Delivery.ofEpoch(loader).ids()).hasSize(300);
        site.onOpen(location -> {
          if (location.text().contains("part-2")) {
            throw new IOException("Cannot read '" + location + "': the network is down.");
          }
        });
      }
    }
  }

  @Test
  void datasetThatWasMissingIsFoundWhenItIsThere(@TempDir Path parent) throws IOException {
    Path later = parent.resolve("later");
    StructuredDataset missing = new StructuredDataset(later.toString());
    assertThatThrownBy(missing::schema).hasMessageContaining("no such file or folder");
    new ParquetFiles().write(later, Tables.counting(new int[] {3}), new Random(1));
    assertThat(missing.schema()).isEqualTo(Folder.ID);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 4})
  void slowConsumerStopsTheReaders(int workers) {
    try (DataLoader loader = loader(options(workers).batchSize(1))) {
      EpochIterator<Batch> epoch = loader.iterator();
      epoch.next().close();
      // Each of 6 files is at most one run; workers take no run that is not wanted yet.
      assertThat(site.openFiles()).isLessThanOrEqualTo(Math.max(1, workers));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void statisticsCountWhatWasReceived(int workers) {
    DataLoader loader = loader(options(workers).batchSize(100));
    try (loader) {
      assertThat(loader.stats())
          .extracting(LoaderStats::rows, LoaderStats::batches)
          .containsExactly(0L, 0L);
      EpochIterator<Batch> epoch = loader.iterator();
      epoch.next().close();
      epoch.next().close();
      LoaderStats stats = loader.stats();
      assertThat(stats.epoch()).isZero();
      assertThat(stats.rows()).isEqualTo(200);
      assertThat(stats.batches()).isEqualTo(2);
      assertThat(stats.read().bytes()).isPositive();
      assertThat(stats.memory().bytes()).isBetween(1L, stats.memory().peakBytes());
      epoch.next().close();
      assertThat(epoch.hasNext()).isFalse();
      assertThat(loader.stats().rows()).isEqualTo(300);
    }
    assertThat(loader.stats().rows()).isEqualTo(300);
    assertThat(loader.stats().memory().bytes()).isZero();
    assertThat(loader.stats().memory().peakBytes()).isPositive();
  }
}
