package dev.penstock.internal.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.OutputFormat;
import dev.penstock.format.RowGroup;
import dev.penstock.internal.columns.BatchLayout;
import dev.penstock.internal.columns.ColumnForms;
import dev.penstock.internal.columns.ColumnGroup;
import dev.penstock.internal.columns.ColumnGroup.DecodingWork;
import dev.penstock.internal.columns.ColumnPlan;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.memory.MemoryTurn;
import dev.penstock.internal.memory.WorkerScratch;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.slices.Rows;
import dev.penstock.internal.table.ValuesPerRow;
import dev.penstock.internal.workers.WorkerPool;
import dev.penstock.internal.workers.WorkerTask;
import dev.penstock.schema.Schema;
import dev.penstock.split.Rank;
import dev.penstock.testing.NumberFile;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What decoding gives to its sink, held against the rows there are. Each file has one column, of
/// which row `r` is `r`.
class DecodingTest {
  private static final Schema SCHEMA = NumberFile.schema(1);

  /// Notes what it is given, as `run:value`; gives room for a few rows at a time.
  private static class Noted implements RowSinks, RowSink {
    private final Random random;
    private final List<String> rows = new ArrayList<>();
    private final List<String> prepared = new ArrayList<>();
    private final long[] counts;
    private @Nullable String failed;
    private boolean ended;
    private boolean isPlaced;

    Noted(Random random, int runs) {
      this.random = random;
      this.counts = new long[runs];
      Arrays.fill(counts, -1);
    }

    @Override
    public RowSink of(WorkerScratch scratch) {
      return this;
    }

    @Override
    public void finish() {}

    @Override
    public void workersEnded() {
      ended = true;
    }

    @Override
    public void fail(Throwable cause) {
      throw new AssertionError(cause);
    }

    @Override
    public void wake() {}

    @Override
    public long bytesOfNext() {
      return -1;
    }

    @Override
    public boolean isReady() {
      return false;
    }

    /// At the second asking only, so that rows are staged meanwhile.
    @Override
    public boolean isPlaced(int run) {
      isPlaced = !isPlaced;
      return !isPlaced;
    }

    @Override
    public boolean awaitPlace(int run) {
      return true;
    }

    @Override
    public void counted(int run, long rowsOfRun, int @Nullable [] batches, Runnable once) {
      assertThat(counts[run]).isIn(-1L, rowsOfRun);
      counts[run] = rowsOfRun;
    }

    @Override
    public int room(DecodeUnit unit, long row) {
      return failed != null ? -1 : 1 + random.nextInt(random.nextInt(4) == 0 ? 5 : 5000);
    }

    @Override
    public void prepare(DecodeUnit unit, Rows given) {
      prepared.clear();
      for (int i = 0; i < given.count(); i++) {
        long value = given.column(0).values().getAtIndex(ValueLayout.JAVA_LONG, i);
        prepared.add(unit.index() + ":" + value);
      }
    }

    @Override
    public int take(DecodeUnit unit, Rows given, int from, int most, long row) {
      int count = random.nextInt(4) == 0 ? random.nextInt(most + 1) : most; // also none
      rows.addAll(prepared.subList(from, from + count));
      return count;
    }

    @Override
    public void flush() {}

    @Override
    public void tell(MemoryTurn turn, DecodeUnit unit, long row) {
      turn.at(unit.index(), row, unit.group().index());
    }

    @Override
    public void fail(DecodeUnit unit, long row, Throwable cause) {
      failed = unit.index() + ":" + row + " " + cause.getMessage();
    }

    @Override
    public void release() {}
  }

  /// Rows of which a worker that has none left waits for those of the others, as it does to collate
  /// them.
  private static final class Awaited implements RowSinks {
    private final Random random;
    private final CountDownLatch left;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean isForgotten;

    Awaited(Random random, int rows) {
      this.random = random;
      this.left = new CountDownLatch(rows);
    }

    @Override
    public RowSink of(WorkerScratch scratch) {
      return new Noted(new Random(random.nextLong()), 2) {
        @Override
        public int take(DecodeUnit unit, Rows given, int from, int most, long row) {
          int count = super.take(unit, given, from, most, row);
          for (int i = 0; i < count; i++) {
            left.countDown();
          }
          return count;
        }
      };
    }

    @Override
    public void finish() {
      try {
        isForgotten |= !left.await(20, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        isForgotten = true;
      }
    }

    @Override
    public void workersEnded() {
      ended.countDown();
    }

    @Override
    public void fail(Throwable cause) {
      throw new AssertionError(cause);
    }

    @Override
    public void wake() {}

    @Override
    public long bytesOfNext() {
      return -1;
    }

    @Override
    public boolean isReady() {
      return false;
    }
  }

  /// No task of the pool.
  private static class NoTask implements WorkerTask {
    @Override
    public void work(WorkerScratch scratch, int worker) {}

    @Override
    public void fail(Throwable failure) {}

    @Override
    public void cancel(String reason) {}

    @Override
    public void discardReady() {}

    @Override
    public void discard() {}
  }

  private static Noted decoded(List<Run> runs, Random random) {
    MemoryMeter meter = new MemoryMeter(64 << 20);
    Noted sink = new Noted(random, runs.size());
    try (WorkerPool pool = new WorkerPool(0, meter);
        Decoding decoding = decoding(runs, pool, 0, meter, sink)) {
      decoding.decodeUntil(new NoTask(), () -> sink.ended);
    }
    assertThat(meter.used()).isZero();
    return sink;
  }

  private static Decoding decoding(
      List<Run> runs, WorkerPool pool, int workers, MemoryMeter meter, RowSinks sinks) {
    RowSteps steps =
        new RowSteps(
            List.of(new RowSteps.Source(SCHEMA, FilterMemo.none())),
            null,
            null,
            0,
            0,
            Rank.SINGLE,
            null,
            null);
    List<ColumnPlan> columns =
        BatchLayout.of(
                SCHEMA,
                16,
                OutputFormat.TENSOR,
                false,
                ColumnForms.defaults(),
                Map.of(),
                Set.of(),
                _ -> ValuesPerRow.UNKNOWN)
            .columns();
    List<ColumnGroup> groups = ColumnGroup.of(columns, 1, DecodingWork.UNKNOWN);
    EpochResources means = new EpochResources(pool, workers, workers, meter);
    return new Decoding(new EpochInput(runs, null, steps), groups, means, 0, sinks);
  }

  private static List<RowGroup> groups(Random random) {
    return random.ints(1 + random.nextInt(3), 1, 20_000).mapToObj(n -> new RowGroup(n, 0)).toList();
  }

  private static List<String> expected(List<Run> runs) {
    List<String> rows = new ArrayList<>();
    for (int run = 0; run < runs.size(); run++) {
      long first = runs.get(run).parts().getFirst().firstRow();
      for (long row = first; row < first + runs.get(run).rowCount(); row++) {
        rows.add(run + ":" + row);
      }
    }
    return rows;
  }

  @Seeded(runs = 18)
  void theSinkIsGivenEveryRowOnceInOrderHoweverLittleRoomItHas(Random random) throws IOException {
    List<Run> runs =
        NumberFile.runs(
            new NumberFile(1, groups(random), -1), new NumberFile(1, groups(random), -1));
    Noted noted = decoded(runs, random);
    assertThat(noted.failed).isNull();
    assertThat(noted.rows).isEqualTo(expected(runs));
    assertThat(noted.counts).isEqualTo(runs.stream().mapToLong(Run::rowCount).toArray());
  }

  /// There is too little memory for two readers, so whoever is behind begins when the other's rows
  /// are taken.
  @Seeded(runs = 10)
  void workerThatHasNoRowsLeftKeepsNothingFromTheOthers(Random random) throws Exception {
    List<Run> runs =
        NumberFile.runs(
            new NumberFile(1, List.of(new RowGroup(10, 0)), -1),
            new NumberFile(1, List.of(new RowGroup(10, 0)), -1));
    MemoryMeter meter = new MemoryMeter(EpochResources.READER_BYTES / 2);
    Awaited sinks = new Awaited(random, 20);
    try (WorkerPool pool = new WorkerPool(2, meter);
        Decoding decoding = decoding(runs, pool, 2, meter, sinks)) {
      pool.start(
          new NoTask() {
            @Override
            public void work(WorkerScratch scratch, int worker) {
              decoding.work(scratch, worker);
            }

            @Override
            public void cancel(String reason) {
              decoding.cancel();
            }
          });
      sinks.ended.await();
    }
    assertThat(sinks.isForgotten).isFalse();
    assertThat(meter.used()).isZero();
  }

  @Seeded(runs = 30)
  void allRowsBeforeAFaultyOneArriveAndThenItsFailure(Random random) throws IOException {
    List<RowGroup> groups = groups(random);
    long all = groups.stream().mapToLong(RowGroup::rowCount).sum();
    long bad = random.nextLong(all);
    List<Run> runs = NumberFile.runs(new NumberFile(1, groups, bad));
    Noted noted = decoded(runs, random);
    List<String> expected = expected(runs).subList(0, (int) bad);
    assertThat(noted.rows).isEqualTo(expected);
    int run = 0;
    long before = 0;
    while (before + runs.get(run).rowCount() <= bad) {
      before += runs.get(run++).rowCount();
    }
    assertThat(noted.failed).startsWith(run + ":" + (bad - before) + " Corrupt row " + bad);
  }
}
