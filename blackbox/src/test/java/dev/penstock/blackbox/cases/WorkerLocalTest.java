package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.SampleLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.data.MapDataset;
import dev.penstock.data.WorkerLocal;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that workers open for themselves.
class WorkerLocalTest {
  private final Set<Handle> all = ConcurrentHashMap.newKeySet();
  private final AtomicInteger open = new AtomicInteger();

  /// A file that one thread may use.
  private final class Handle implements AutoCloseable {
    private final Thread owner = Thread.currentThread();

    Handle() {
      all.add(this);
      open.incrementAndGet();
    }

    long read(long index) {
      assertThat(Thread.currentThread()).isSameAs(owner);
      return index;
    }

    @Override
    public void close() {
      open.decrementAndGet();
    }
  }

  private record Rows(WorkerLocal<Handle> file) implements MapDataset<Long> {
    @Override
    public long size() {
      return 40;
    }

    @Override
    public Long get(long index) throws IOException {
      return file.get().read(index);
    }
  }

  // @start region=worker-file
  record Longs(long size, WorkerLocal<RandomAccessFile> files) implements MapDataset<Long> {
    static Longs of(Path path) throws IOException {
      return new Longs(
          Files.size(path) / Long.BYTES,
          WorkerLocal.of(() -> new RandomAccessFile(path.toFile(), "r")));
    }

    @Override
    public Long get(long index) throws IOException {
      RandomAccessFile file = files.get(); // the worker's own: nobody else moves its position
      file.seek(index * Long.BYTES);
      return file.readLong();
    }
  }

  // @end

  @Test
  void rowsOfAFileAreReadByEveryWorkerThroughItsOwn(@TempDir Path folder) throws IOException {
    ByteBuffer numbers = ByteBuffer.allocate(5000 * Long.BYTES);
    LongStream.range(0, 5000).forEach(numbers::putLong);
    Path file = Files.write(folder.resolve("longs"), numbers.array());
    try (SampleLoader<Long, Long> loader =
        DataLoader.of(Longs.of(file), o -> o.workers(4).unbatched())) {
      long row = 0;
      for (long number : loader) {
        assertThat(number).isEqualTo(row++);
      }
      assertThat(row).isEqualTo(5000);
    }
  }

  @Test
  void everyWorkerHasItsOwnUntilItsEpochEnds() {
    for (int workers = 0; workers < 4; workers++) {
      int count = workers;
      all.clear();
      try (SampleLoader<Long, Long> loader =
          DataLoader.of(new Rows(WorkerLocal.of(Handle::new)), o -> o.workers(count).unbatched())) {
        for (int epoch = 1; epoch < 3; epoch++) {
          long rows = 0;
          try (EpochIterator<Long> batches = loader.iterator()) {
            while (batches.hasNext()) {
              assertThat(batches.next()).isEqualTo(rows++);
            }
            assertThat(open).hasValue(Math.max(1, count));
          }
          assertThat(open).hasValue(0);
          assertThat(all).hasSize(epoch * Math.max(1, count));
        }
      }
    }
  }

  @Test
  void closedLoaderHasClosedAll() {
    for (int workers = 0; workers < 3; workers++) {
      int count = workers;
      try (SampleLoader<Long, Long> loader =
          DataLoader.of(new Rows(WorkerLocal.of(Handle::new)), o -> o.workers(count).unbatched())) {
        loader.iterator().next();
        assertThat(open.get()).isPositive();
      }
      assertThat(open).hasValue(0);
    }
  }

  @Test
  void outsideOfLoadersItIsClosedByHand() throws IOException {
    try (WorkerLocal<Handle> file = WorkerLocal.of(Handle::new)) {
      Rows rows = new Rows(file);
      assertThat(rows.get(1)).isEqualTo(rows.get(0) + 1);
      assertThat(open).hasValue(1);
    }
    assertThat(open).hasValue(0);
  }

  @Test
  void outsideOfLoadersEveryThreadOpensItsOwnAndWaitsForNoOther() throws Exception {
    Phaser opening = new Phaser(2);
    try (WorkerLocal<Handle> file =
        WorkerLocal.of(() -> {
          opening.arriveAndAwaitAdvance(); // until both threads are here
          return new Handle();
        })) {
      Rows rows = new Rows(file);
      try (ExecutorService other = Executors.newSingleThreadExecutor()) {
        Future<Long> read = other.submit(() -> rows.get(2));
        assertThat(rows.get(1)).isEqualTo(1);
        assertThat(read.get()).isEqualTo(2);
      }
      assertThat(open).hasValue(2);
    }
    assertThat(open).hasValue(0);
  }

  @Test
  void fileThatCannotBeOpenedFailsItsBatchAndIsTriedAgain() {
    AtomicInteger tries = new AtomicInteger();
    WorkerLocal<Handle> file =
        WorkerLocal.of(() -> {
          if (tries.incrementAndGet() == 1) {
            throw new IOException("no such file");
          }
          return new Handle();
        });
    try (SampleLoader<Long, Long> loader =
            DataLoader.of(new Rows(file), o -> o.workers(1).unbatched());
        EpochIterator<Long> batches = loader.iterator()) {
      assertThatThrownBy(batches::next)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("no such file");
      assertThat(batches.next()).isEqualTo(1);
    }
  }

  @Test
  void functionsOfALoaderOfFilesHaveTheirOwn(@TempDir Path folder) throws IOException {
    Files.write(
        folder.resolve("rows.csv"),
        LongStream.range(-1, 5000).mapToObj(id -> id < 0 ? "id" : "" + id).toList());
    for (int workers = 0; workers < 3; workers++) {
      int count = workers;
      WorkerLocal<Handle> file = WorkerLocal.of(Handle::new);
      try (DataLoader loader =
          DataLoader.of(
              new StructuredDataset(folder.toString()), o -> o.batchSize(64).workers(count))) {
        long rows = 0;
        for (long read :
            loader.collate(batch -> {
              try (batch) {
                return file.get().read(batch.rowCount());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            })) {
          rows += read;
        }
        assertThat(rows).isEqualTo(5000);
        assertThat(open.get()).isPositive();
      }
      assertThat(open).hasValue(0);
    }
  }
}
