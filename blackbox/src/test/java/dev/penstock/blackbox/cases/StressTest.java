package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.contract.Failure;
import dev.penstock.blackbox.contract.Leaks;
import dev.penstock.blackbox.files.Delays;
import dev.penstock.blackbox.files.FaultStorage;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.RowsFormat;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Shuffle;
import dev.penstock.tck.Table;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// Everything that may happen to a loader, at random and one after another: it is closed, left,
/// failed, held up and resumed, and all that it delivers together is the epochs, once.
class StressTest {
  private static final int ROWS = 400;
  private static final long EPOCHS = 3;

  @TempDir static Path folder;

  /// The same rows in two formats: in one of them slices are odd, the other is the real one.
  @BeforeAll
  static void writeFiles() throws IOException {
    int[][] groups = {{20, 30}, {60}, {1, 0, 49}, {}, {90}, {50}, {7, 7, 7, 7, 7, 15}, {50}};
    Table table = Tables.counting(groups);
    assertThat(table.rows()).hasSize(ROWS);
    new RowsFormat().write(folder.resolve("rows"), table, new Random(1));
    new ParquetFiles().write(folder.resolve("parquet"), table, new Random(1));
  }

  /// What a round makes fail. Never thrown for any other reason.
  private static final class Injected extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /// How a leg of a round ends.
  private enum Ending {
    LOADER_CLOSED,
    LOADER_CLOSED_BY_ANOTHER_THREAD,
    ITERATOR_CLOSED,
    ITERATOR_CLOSED_BY_ANOTHER_THREAD,
    LATER_EPOCH,
    LEFT_OPEN,
    READ_TO_THE_END,
    STORAGE_FAILS,
    DECODING_FAILS,
    TRANSFORM_FAILS,
    COLLATE_FAILS
  }

  @Seeded(runs = 100)
  void whateverHappensEveryEpochIsDeliveredOnceAndNothingIsLeft(Random random) {
    assertTimeoutPreemptively(Failure.HANG, () -> new Round(random).run());
  }

  /// One dataset, read in legs by several loaders, each of which goes on where the one before was
  /// stopped.
  private static final class Round {
    private final Random random;
    private final FaultStorage.Site site;
    private final StructuredDataset dataset;
    private final LoaderOptions options;
    private final boolean transforms;

    /// By epoch, the ids of each batch, as one thread alone reads them.
    private final Map<Long, List<List<Long>>> epochs = new TreeMap<>();

    private final List<Held> held = new ArrayList<>();
    private Delays delays = new Delays(0);

    /// Counted down by what may fail; what comes to 0 does.
    private final AtomicInteger untilStorage = new AtomicInteger();

    private final AtomicInteger untilDecoding = new AtomicInteger();
    private final AtomicInteger untilTransform = new AtomicInteger();
    private final AtomicInteger untilCollate = new AtomicInteger();

    // Where the round is.
    private long epoch;
    private int received; // batches of the epoch

    /// A batch that the consumer does not close at once.
    private record Held(Batch batch, List<Long> ids) {
      void close() {
        assertThat(Round.ids(batch)).isEqualTo(ids);
        batch.close();
      }
    }

    Round(Random random) {
      this.random = random;
      site = FaultStorage.over(folder.resolve(random.nextBoolean() ? "rows" : "parquet"));
      boolean filters = random.nextInt(3) == 0;
      transforms = random.nextInt(3) == 0;
      StructuredDataset files = new StructuredDataset(site.location());
      files = random.nextBoolean() ? files : files.splitRows(5 + random.nextInt(60));
      dataset = filters ? files.where("id < 50 or id >= 120 and id != 333") : files;
      int batchSize = 1 + random.nextInt(50);
      LoaderOptions plain =
          LoaderOptions.defaults()
              .batchSize(batchSize)
              .dropLast(random.nextInt(4) == 0)
              .seed(random.nextLong())
              .shuffle(
                  switch (random.nextInt(3)) {
                    case 0 -> Shuffle.none();
                    case 1 -> Shuffle.splits();
                    default -> Shuffle.window(1 + random.nextInt(150));
                  });
      options =
          transforms
              ? plain.transform(
                  (block, _) -> {
                    delays.hold();
                    failWhenDue(untilTransform);
                    long[] ids = block.longs("id");
                    return block.take(
                        IntStream.range(0, ids.length).filter(row -> ids[row] % 3 != 0).toArray());
                  },
                  1 + random.nextInt(40))
              : plain;
      readAlone();
      LongPredicate wanted =
          id -> (!filters || id < 50 || (id >= 120 && id != 333)) && (!transforms || id % 3 != 0);
      epochs.values().forEach(batches -> requireWhole(batches, wanted));
    }

    /// Reads all epochs without workers and without faults.
    private void readAlone() {
      try (DataLoader loader = DataLoader.of(dataset, _ -> options.workers(0))) {
        for (long each = 0; each < EPOCHS; each++) {
          List<List<Long>> batches = new ArrayList<>();
          for (Batch batch : loader) {
            try (batch) {
              batches.add(ids(batch));
            }
          }
          epochs.put(each, batches);
        }
      }
    }

    private void requireWhole(List<List<Long>> batches, LongPredicate wanted) {
      List<Long> model = LongStream.range(0, ROWS).filter(wanted).boxed().toList();
      List<Long> read = batches.stream().flatMap(List::stream).toList();
      boolean inOrder = options.order().shuffle().equals(Shuffle.none());
      if (options.batching().dropLast()) {
        int size = options.batching().size();
        assertThat(read.size()).isEqualTo(model.size() / size * size);
        model = inOrder ? model.subList(0, read.size()) : model;
        assertThat(model).containsAll(read);
        assertThat(read).doesNotHaveDuplicates();
      } else {
        assertThat(read).containsExactlyInAnyOrderElementsOf(model);
      }
      if (inOrder) {
        assertThat(read).isEqualTo(model);
      }
    }

    void run() throws Exception {
      LoaderState state = null;
      for (int leg = 1 + random.nextInt(4); leg > 0 && epoch < EPOCHS; leg--) {
        state = leg(state, List.of(Ending.values()).get(random.nextInt(Ending.values().length)));
      }
      if (epoch < EPOCHS) { // the rest, and nothing happens to it
        leg(state, Ending.READ_TO_THE_END);
        assertThat(epoch).isEqualTo(EPOCHS);
      }
    }

    /// Reads on with a new loader until it ends in the given way, or all epochs are read.
    private LoaderState leg(LoaderState from, Ending ending) throws Exception {
      delays = new Delays(random.nextLong());
      site.onOpen(delays);
      site.onRead(location -> {
        delays.check(location);
        failWhenDue(untilStorage);
      });
      site.onDecode(location -> {
        delays.check(location);
        failWhenDue(untilDecoding);
      });
      arm(ending);
      DataLoader loader =
          DataLoader.of(
              dataset,
              _ -> options.workers(random.nextInt(6)).prefetchFactor(1 + random.nextInt(3)));
      LoaderState state;
      try (loader) {
        if (from != null) {
          loader.resume(from);
        }
        CountDownLatch moment = new CountDownLatch(1);
        FutureTask<Void> closer =
            started(() -> {
              moment.await();
              delays.hold();
              if (ending == Ending.LOADER_CLOSED_BY_ANOTHER_THREAD) {
                loader.close();
              }
            });
        read(loader, ending, moment);
        state = loader.state();
        if (state.epoch() > epoch && received == epochs.get(epoch).size()) {
          epoch++; // Whether more batches come may be known only after the last was received.
          received = 0;
        }
        assertThat(state.epoch()).isEqualTo(epoch);
        assertThat(state.batches()).isEqualTo(received);
        moment.countDown();
        closer.get();
      }
      arm(Ending.READ_TO_THE_END);
      held.forEach(Held::close);
      held.clear();
      Leaks.assertNone(loader, folder);
      assertThat(site.openFiles()).isZero();
      return LoaderState.parse(state.toJson());
    }

    /// Receives batches until the leg ends.
    private void read(DataLoader loader, Ending ending, CountDownLatch moment) throws Exception {
      try {
        receive(loader, ending, moment);
      } catch (IllegalStateException | UncheckedIOException e) {
        boolean isClosed = ending == Ending.LOADER_CLOSED_BY_ANOTHER_THREAD;
        if (!isInjected(e) && !(isClosed && e.getMessage().contains("closed"))) {
          throw e;
        }
      }
    }

    private void arm(Ending ending) {
      untilStorage.set(ending == Ending.STORAGE_FAILS ? 1 + random.nextInt(100) : 0);
      untilDecoding.set(ending == Ending.DECODING_FAILS ? 1 + random.nextInt(60) : 0);
      untilTransform.set(ending == Ending.TRANSFORM_FAILS ? 1 + random.nextInt(30) : 0);
      untilCollate.set(ending == Ending.COLLATE_FAILS ? 1 + random.nextInt(30) : 0);
    }

    private static void failWhenDue(AtomicInteger until) {
      if (until.get() > 0 && until.decrementAndGet() == 0) {
        throw new Injected();
      }
    }

    private static boolean isInjected(Throwable thrown) {
      return thrown instanceof Injected
          || (thrown.getCause() != null && isInjected(thrown.getCause()));
    }

    /// Receives batches of one epoch after another.
    private void receive(DataLoader loader, Ending ending, CountDownLatch moment) throws Exception {
      int left = random.nextInt(30);
      while (epoch < EPOCHS) {
        EpochIterator<Batch> each = random.nextBoolean() ? loader.iterator() : collated(loader);
        assertThat(each.epoch()).isEqualTo(epoch);
        while (each.hasNext()) {
          if (left-- == 0 && stop(loader, each, ending, moment)) {
            return;
          }
          take(each.next());
          delays.hold();
        }
        assertThat(received).isEqualTo(epochs.get(epoch).size());
        epoch++;
        received = 0;
      }
    }

    private EpochIterator<Batch> collated(DataLoader loader) {
      return loader
          .<Batch>collate(batch -> {
            delays.hold();
            failWhenDue(untilCollate);
            return batch;
          })
          .iterator();
    }

    /// Holds a batch against what one thread alone has read, and keeps some of them open.
    private void take(Batch batch) {
      List<Long> ids = ids(batch);
      assertThat(ids)
          .as("batch %s of epoch %s", received, epoch)
          .isEqualTo(epochs.get(epoch).get(received));
      received++;
      Held each = new Held(batch, ids);
      if (random.nextInt(4) == 0) {
        held.add(each);
      } else {
        each.close();
      }
      for (Iterator<Held> kept = held.iterator(); kept.hasNext() && random.nextInt(5) == 0; ) {
        kept.next().close();
        kept.remove();
      }
    }

    /// Lets happen what shall happen.
    ///
    /// @return whether nothing more can be received
    private boolean stop(
        DataLoader loader, EpochIterator<Batch> each, Ending ending, CountDownLatch moment)
        throws Exception {
      switch (ending) {
        case LOADER_CLOSED -> loader.close();
        case ITERATOR_CLOSED -> each.close();
        case ITERATOR_CLOSED_BY_ANOTHER_THREAD -> started(each::close).get();
        case LOADER_CLOSED_BY_ANOTHER_THREAD -> moment.countDown(); // while this thread goes on
        case LATER_EPOCH -> {
          if (epoch + 1 < EPOCHS) {
            laterEpoch(loader);
          }
        }
        case LEFT_OPEN -> {
          return true; // for close() to end
        }
        case READ_TO_THE_END, STORAGE_FAILS, DECODING_FAILS, TRANSFORM_FAILS, COLLATE_FAILS -> {
          return false; // by itself, or not
        }
      }
      return ending != Ending.LOADER_CLOSED_BY_ANOTHER_THREAD;
    }

    /// Begins the next epoch instead of going on.
    private void laterEpoch(DataLoader loader) {
      epoch++;
      received = 0;
      try (EpochIterator<Batch> later = loader.iterator()) {
        take(later.next());
      }
    }

    private static List<Long> ids(Batch batch) {
      return IntStream.range(0, batch.rowCount())
          .mapToObj(row -> batch.tensor("id").getLong(row))
          .toList();
    }

    private interface Action {
      void run() throws Exception;
    }

    private static FutureTask<Void> started(Action action) {
      FutureTask<Void> task =
          new FutureTask<>(() -> {
            action.run();
            return null;
          });
      Thread.ofPlatform().daemon().start(task);
      return task;
    }
  }
}
