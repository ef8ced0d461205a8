package dev.penstock.blackbox.cases;

import static dev.penstock.blackbox.cases.SampleLoaderTest.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.SampleLoader;
import dev.penstock.WorkerException;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Collator;
import dev.penstock.batch.DType;
import dev.penstock.batch.Shape;
import dev.penstock.blackbox.contract.Workers;
import dev.penstock.data.IterableDataset;
import dev.penstock.data.MapDataset;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a loader of Java objects does when something fails, and when it ends.
class SampleLoaderEndTest {
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
    for (int workers : Workers.COUNTS) {
      RuntimeException bug = new IllegalArgumentException("bad row");
      List<Object> seen = new ArrayList<>();
      try (SampleLoader<Long, Long> loader =
          DataLoader.of(failing(2, bug), o -> o.workers(workers).unbatched())) {
        EpochIterator<Long> epoch = loader.iterator();
        while (epoch.hasNext()) {
          try {
            seen.add(epoch.next());
          } catch (IllegalArgumentException e) {
            seen.add("error");
            String where =
                workers == 0
                    ? ""
                    : "Caught java.lang.IllegalArgumentException in worker " + 2 % workers + ": ";
            assertThat(e).hasCause(bug).hasMessage("%sbad row", where);
          }
        }
      }
      assertThat(seen).containsExactly(0L, 1L, "error", 3L, 4L, 5L);
    }
  }

  @Test
  void errorsThatCannotBeThrownAgainAreWrapped() {
    for (int workers : Workers.COUNTS) {
      FileNotFoundException missing = new FileNotFoundException("no such file");
      assertThat(firstError(failing(0, missing), workers))
          .isInstanceOf(UncheckedIOException.class)
          .hasCause(missing)
          .hasMessageContaining("no such file");
      Odd odd = new Odd();
      assertThat(firstError(failing(0, odd), workers))
          .isInstanceOf(WorkerException.class)
          .hasCause(odd);
    }
  }

  private static Throwable firstError(MapDataset<Long> dataset, int workers) {
    try (SampleLoader<Long, Long> loader =
        DataLoader.of(dataset, o -> o.workers(workers).unbatched())) {
      return catchThrowable(() -> loader.iterator().next());
    }
  }

  @Test
  void sizeThatCannotBeToldIsAnErrorAtTheEnd() {
    for (Throwable failure : List.of(new IllegalStateException("no size"), new AssertionError())) {
      IterableDataset<Long> dataset =
          new IterableDataset<>() {
            @Override
            public Iterator<Long> iterator() {
              return List.of(1L).iterator();
            }

            @Override
            public OptionalLong size() {
              if (failure instanceof Error e) {
                throw e;
              }
              throw (RuntimeException) failure;
            }
          };
      try (SampleLoader<Long, Long> loader = DataLoader.of(dataset, o -> o.unbatched());
          EpochIterator<Long> epoch = loader.iterator()) {
        assertThat(epoch.next()).isEqualTo(1);
        assertThatThrownBy(epoch::hasNext)
            .isInstanceOf(failure.getClass())
            .satisfies(e -> assertThat(e.getCause()).isSameAs(failure));
      }
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
          DataLoader.of(dataset, o -> o.workers(workers).unbatched())) {
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
        DataLoader.of(
            new Numbers(4),
            o ->
                o.workers(2)
                    .workerInit(info -> {
                      if (info.id() == 0) {
                        throw new UnsupportedOperationException("no device");
                      }
                    })
                    .unbatched())) {
      EpochIterator<Long> epoch = loader.iterator();
      assertThatThrownBy(epoch::next)
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("worker 0: no device");
      assertThat(epoch.next()).isOne();
    }
    for (int workers : Workers.COUNTS) {
      IterableDataset<Long> closed =
          () -> {
            throw new UnsupportedOperationException("no stream");
          };
      try (SampleLoader<Long, Long> loader =
          DataLoader.of(closed, o -> o.workers(workers).unbatched())) {
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
    for (int workers : Workers.COUNTS) {
      try (SampleLoader<Long, List<Long>> loader =
          DataLoader.of(
              new Numbers(9),
              o ->
                  o.batchSampler(batches)
                      .workers(workers)
                      .collate((Collator<Long, List<Long>>) (rows, _) -> List.copyOf(rows)))) {
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
  void timeoutMayBeAsLongAsADuration() {
    MapDataset<Long> dataset =
        new MapDataset<>() {
          @Override
          public long size() {
            return 2;
          }

          @Override
          public Long get(long index) {
            return index;
          }
        };
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
    try (SampleLoader<Long, Long> loader =
        DataLoader.of(dataset, o -> o.workers(1).timeout(longest).unbatched())) {
      assertThat(loader).containsExactly(0L, 1L);
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
        DataLoader.of(dataset, o -> o.workers(1).timeout(Duration.ofMillis(1)).unbatched())) {
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
    for (int workers : Workers.COUNTS) {
      for (int taken : new int[] {0, 1, 3, 7}) {
        for (boolean iterator : new boolean[] {true, false}) {
          SampleLoader<Long, Batch> loader =
              DataLoader.of(
                  new Numbers(20), o -> o.batchSize(3).workers(workers).collate(tensors()));
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
          assertThat(loader.stats().memory().bytes())
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
        DataLoader.of(new Numbers(20), o -> o.batchSize(3).workers(2).collate(tensors()));
    Batch batch = loader.iterator().next();
    loader.close();
    assertThat(batch.tensor("n").getLong(2)).isEqualTo(2);
    assertThat(loader.stats().memory().bytes()).isPositive();
    batch.close();
    assertThat(loader.stats().memory().bytes()).isZero();
  }

  @Test
  void collatorThatFailsGivesItsMemoryBack() {
    Collator<Long, Batch> failing =
        (_, batch) -> {
          batch.tensor("n", DType.INT64, Shape.of(2));
          throw new IllegalStateException("no batch");
        };
    SampleLoader<Long, Batch> loader =
        DataLoader.of(new Numbers(4), o -> o.batchSize(2).workers(1).collate(failing));
    EpochIterator<Batch> epoch = loader.iterator();
    assertThatThrownBy(epoch::next).hasMessageContaining("no batch");
    assertThatThrownBy(epoch::next).hasMessageContaining("no batch");
    loader.close();
    assertThat(loader.stats().memory().bytes()).isZero();
  }

  @Test
  void laterEpochEndsTheOneBefore() {
    try (SampleLoader<Long, Long> loader =
        DataLoader.of(new Numbers(9), o -> o.workers(2).unbatched())) {
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
  @Tag("outer") // waits for two interrupts, 3 seconds each
  void workerThatWaitsForEverIsInterruptedAtTheEnd() {
    MapDataset<Long> dataset =
        new MapDataset<>() {
          @Override
          public long size() {
            return 5;
          }

          @Override
          public Long get(long index) {
            if (index == 1) {
              await(new CountDownLatch(1));
            }
            return index;
          }
        };
    SampleLoader<Long, Long> loader = DataLoader.of(dataset, o -> o.workers(2).unbatched());
    assertThat(loader.iterator().next()).isZero();
    // The next epoch ends the one before, and its workers are as good as new.
    EpochIterator<Long> second = loader.iterator();
    assertThat(second.next()).isZero();
    loader.close();
    assertThat(workersAlive()).isEmpty();
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
    SampleLoader<Long, Long> loader = DataLoader.of(dataset, o -> o.workers(1).unbatched());
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
