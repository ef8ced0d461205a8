package dev.penstock.internal.pipeline;

import dev.penstock.internal.clock.ConsumerClock;
import dev.penstock.internal.clock.StageClocks;
import dev.penstock.internal.columns.BatchLayout;
import dev.penstock.internal.columns.ColumnGroup;
import dev.penstock.internal.columns.ColumnGroup.DecodingWork;
import dev.penstock.internal.decode.DecodeUnits;
import dev.penstock.internal.decode.FetchAhead;
import dev.penstock.internal.decode.ReaderRuns;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.decode.RunDecoder;
import dev.penstock.internal.decode.RunSource;
import dev.penstock.internal.decode.SkipCounter;
import dev.penstock.internal.deliver.BatchCollation;
import dev.penstock.internal.deliver.BatchWindow;
import dev.penstock.internal.deliver.Delivered;
import dev.penstock.internal.deliver.EpochEnd;
import dev.penstock.internal.deliver.ReadAhead;
import dev.penstock.internal.deliver.RunStarts;
import dev.penstock.internal.fetch.ReadCounter;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.memory.MemoryTurn;
import dev.penstock.internal.memory.MemoryTurns;
import dev.penstock.internal.memory.WorkerScratch;
import dev.penstock.internal.plan.BatchTurns;
import dev.penstock.internal.plan.Position;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.RunPlace;
import dev.penstock.internal.plan.TableFile;
import dev.penstock.internal.workers.ConsumerWait;
import dev.penstock.internal.workers.TimedOut;
import dev.penstock.internal.workers.Waiting;
import dev.penstock.internal.workers.WorkerPool;
import dev.penstock.internal.workers.WorkerTask;
import dev.penstock.split.PrunedRows;
import dev.penstock.stats.BatchQueue;
import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import dev.penstock.stats.WorkerStats;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One pass over the rows: the runs to decode, and the batches they become.
///
/// With workers, their threads call [#work]; without, the consumer decodes in [#next], just as much
/// as the next batch needs.
///
/// **Threads.** [#next] by one consumer; [#cancel] from any.
public final class Epoch implements WorkerTask {
  /// A guess of what the reader of a run needs, until one was seen.
  private static final long READER_BYTES = 8L << 20;

  /// What batches may take ahead of the consumer, however narrow their rows are.
  private static final long AHEAD_BYTES = 1L << 20;

  /// About what the objects of a batch weigh beside its rows.
  private static final long OBJECT_BYTES = 1L << 10;

  private final long number;
  private final List<Run> runs;
  private final long[] rowsBefore; // of each run
  private final List<ColumnGroup> groups;
  private final DecodeUnits units;
  private final @Nullable BatchTurns turns;
  private final BatchLayout layout;
  private final BatchWindow window;
  private final RowSteps steps;
  private final ReadCounter counter = new ReadCounter();
  private final FetchAhead fetches;
  private final SkipCounter skips = new SkipCounter();
  private final MemoryTurns memoryTurns;
  private final long stagedBytesMax; // of each worker
  private final @Nullable RunDecoder inline;
  private final @Nullable MemoryTurn inlineTurn;
  private final WorkerPool pool;
  private final Duration timeout;
  private final boolean collates;
  private final AtomicInteger atWork; // workers that have not ended
  private final AtomicLong rowsDelivered = new AtomicLong();
  private final AtomicLong batchesDelivered = new AtomicLong();
  private final StageClocks clocks;
  private final ConsumerClock consumer;
  private final boolean isCounted; // how many rows there are was known before they were read
  private volatile boolean wasEndSeen;
  private volatile @Nullable String stopped;
  private volatile Position position = Position.START;

  /// Makes an epoch. No thread is started here.
  ///
  /// @param number the epoch, counted from 0
  /// @param runs the rows in the order of the sequence; or of one worker after another
  /// @param turns how workers take turns; null where any may take any run
  /// @param steps what becomes of their rows
  /// @param end how the epoch ends
  /// @param layout what a batch looks like
  /// @param workers how many workers will call [#work]; 0 to decode on the consumer's thread
  /// @param prefetchFactor finished batches each worker may be ahead beyond its run
  /// @param meter has the limit of all memory
  /// @param memory where batches' memory comes from
  /// @param pool the workers, or the consumer that works in their place
  /// @param timeout how long the consumer waits for a batch; zero for ever
  /// @param collate makes of a batch what the consumer receives
  /// @param onBatchClose run whenever the consumer closes a batch
  /// @param inOrder whether batches come in the order of the sequence, not as they are ready
  public Epoch(
      long number,
      List<Run> runs,
      @Nullable BatchTurns turns,
      RowSteps steps,
      EpochEnd end,
      BatchLayout layout,
      int workers,
      int prefetchFactor,
      MemoryMeter meter,
      BatchMemory memory,
      WorkerPool pool,
      Duration timeout,
      BatchCollation collate,
      Runnable onBatchClose,
      boolean inOrder) {
    this.number = number;
    this.pool = pool;
    this.timeout = timeout;
    this.collates = !collate.equals(BatchCollation.NONE);
    this.atWork = new AtomicInteger(workers);
    this.clocks = new StageClocks(workers, System::nanoTime);
    this.consumer = new ConsumerClock(clocks, System::nanoTime);
    this.runs = runs;
    this.rowsBefore = new long[runs.size()];
    for (int i = 1; i < rowsBefore.length; i++) {
      rowsBefore[i] = rowsBefore[i - 1] + runs.get(i - 1).rowCount();
    }
    this.steps = steps;
    this.layout = layout;
    this.turns = turns;
    this.groups = groups(Math.min(workers, meter.limit() / READER_BYTES));
    // Each worker can keep to columns of its own where there are enough for all.
    boolean mayGoOn =
        turns == null
            && workers <= groups.size()
            && steps.matches() == null
            && steps.transform() == null;
    ReaderRuns readerRuns = new ReaderRuns(runs, mayGoOn);
    this.units = new DecodeUnits(runs, groups, turns, readerRuns.goOn());
    this.fetches = new FetchAhead(readerRuns, groups, steps, counter, workers, meter);
    // Half is for batches, a quarter each for lists and for staged rows; readers have the rest.
    ReadAhead ahead = readAhead(workers, prefetchFactor, meter.limit());
    this.stagedBytesMax = meter.limit() / 4 / Math.max(1, workers);
    this.memoryTurns =
        new MemoryTurns(
            meter, memory.batchBytes(), READER_BYTES, Math.max(1, workers), new InWindow());
    RunStarts starts = starts();
    EpochEnd ending = end.inBatchesOf(layout.batchSize());
    this.isCounted = starts.total() >= 0 || ending.rowsMax() < Long.MAX_VALUE;
    this.window =
        new BatchWindow(
            layout,
            starts,
            ending,
            groups.size(),
            ahead,
            memory,
            collate,
            () -> {
              onBatchClose.run();
              memoryTurns.wake();
            },
            inOrder);
    WorkerScratch scratch = workers == 0 ? pool.consumerScratch() : null;
    this.inlineTurn = scratch == null ? null : memoryTurns.of(scratch, 0);
    this.inline = scratch == null || inlineTurn == null ? null : decoder(scratch, 0, inlineTurn);
  }

  /// Where workers are that do not wait for memory.
  private final class InWindow implements MemoryTurns.Elsewhere {
    @Override
    public void await(Condition condition) {
      Waiting.on(condition, "memory");
    }

    @Override
    public void wake() {
      window.wake();
    }

    @Override
    public long bytesOfNext() {
      return window.bytesOfNext();
    }

    @Override
    public boolean isConsumersTurn() {
      return inline == null && window.isReady();
    }
  }

  /// Deals the columns. A transform is given all of its rows. Workers that share a run need its
  /// memory at the same time, or else each would have to begin again for every few rows: they share
  /// it only where there is likely to be room for a reader of each.
  private List<ColumnGroup> groups(long readers) {
    boolean isShared = steps.transform() == null && turns == null;
    return isShared && readers > 1
        ? ColumnGroup.of(
            layout.columns(),
            (int) readers,
            runs.size(),
            runs.stream().anyMatch(Run::goesOn),
            runs.isEmpty() ? DecodingWork.UNKNOWN : first(runs.getFirst())::decodingWork)
        : ColumnGroup.of(layout.columns(), 1, DecodingWork.UNKNOWN);
  }

  private static TableFile first(Run run) {
    return run.parts().getFirst().file();
  }

  private RunStarts starts() {
    return new RunStarts(
        turns,
        runs.stream()
            .mapToLong(run -> steps.transform() == null && run.isWhole() ? run.rowCount() : -1)
            .toArray());
  }

  /// The first worker's rows are delivered as they come. The window holds what the others decode
  /// meanwhile, a run for each, and some finished batches and slices besides; of narrow rows more
  /// slices, which may be decoded before a consumer that has slept is awake. Workers that share a
  /// run count as one, but then the fastest of them may be a run ahead of the slowest, or two
  /// slices as long as they keep abreast; so may one whose run is delivered late because it had to
  /// be counted.
  private ReadAhead readAhead(int workers, int prefetchFactor, long limit) {
    long sideBytes = limit / 4;
    long bytesMax = limit / 2;
    if (workers == 0) {
      return new ReadAhead(1, sideBytes, 0);
    }
    int results = (int) Math.min((long) workers * prefetchFactor, Integer.MAX_VALUE);
    long least = 1 + (long) results;
    if (turns != null) {
      return new ReadAhead(affordable(least + workers, bytesMax), sideBytes, results);
    }
    int batchSize = layout.batchSize();
    long twoSlices = Math.ceilDiv(2L * RunDecoder.SLICE_ROWS_MAX, batchSize);
    long inHand = least + Math.max(twoSlices, AHEAD_BYTES / (layout.batchBytes() + OBJECT_BYTES));
    long longest = runs.stream().mapToLong(Run::rowCount).max().orElse(0);
    int runsAtOnce = Math.clamp(runs.size(), 1, Math.ceilDiv(workers, groups.size()));
    boolean isCountedBefore = starts().total() >= 0;
    boolean isShared = groups.size() > 1;
    int runsAhead = isShared || !isCountedBefore ? runsAtOnce : runsAtOnce - 1;
    int batches = affordable(inHand + Math.ceilDiv(longest, batchSize) * runsAhead, bytesMax);
    boolean mayKeepAbreast = isShared && isCountedBefore && runsAtOnce == 1;
    int abreast =
        mayKeepAbreast ? Math.min(batches, affordable(inHand + twoSlices, bytesMax)) : batches;
    return new ReadAhead(batches, abreast, sideBytes, results);
  }

  /// Returns so many batches, or as many as there is room for.
  private int affordable(long batches, long bytesMax) {
    long room = Math.max(1, bytesMax / Math.max(1, layout.batchBytes()));
    return (int) Math.min(Math.min(batches, room), Integer.MAX_VALUE >> 4);
  }

  private RunDecoder decoder(WorkerScratch scratch, int worker, MemoryTurn turn) {
    RunSource source = new RunSource(steps, worker, fetches, skips, scratch);
    return new RunDecoder(
        layout, window, () -> units.take(worker), source, scratch, turn, stagedBytesMax);
  }

  /// Decodes until nothing is left or the epoch ends: the whole of a worker's part.
  ///
  /// @param scratch the worker's own working memory
  /// @param worker its number, counted from 0
  @Override
  public void work(WorkerScratch scratch, int worker) {
    MemoryTurn turn = memoryTurns.of(scratch, worker);
    try {
      turn.run(() -> clocks.of(worker).run(Stage.BATCH, () -> decodeAll(scratch, worker, turn)));
    } finally {
      turn.end();
      if (atWork.decrementAndGet() == 0) {
        window.workersEnded();
      }
    }
  }

  private void decodeAll(WorkerScratch scratch, int worker, MemoryTurn turn) {
    try (RunDecoder decoder = decoder(scratch, worker, turn)) {
      while (decoder.step()) {
        // One slice at a time; the window says when to wait and when to stop.
      }
      window.collateRest();
    } catch (Throwable e) {
      // A step reports its own failures; this is what hinders a worker from starting or ending.
      window.fail(0, 0, 0, e);
    }
  }

  /// Returns whether all batches were received; where it is not known how many there are, waits
  /// until the next one, or the end, is there.
  ///
  /// @return true when [#next] has nothing more to give; false after [#cancel] before the end
  /// @throws TimedOut if it waited too long
  /// @throws InterruptedIOException if the thread is interrupted
  public boolean isAtEnd() throws TimedOut, InterruptedIOException {
    boolean ended;
    if (window.isEndKnown()) {
      ended = window.isOverNow();
    } else {
      ConsumerClock.Wait wait = consumer.begin();
      try {
        decodeUntil(window::isEndKnown);
        ended = window.isAtEnd(new ConsumerWait(timeout));
      } finally {
        consumer.end(wait);
      }
    }
    if (ended) {
      consumer.end();
      wasEndSeen = true;
    }
    return ended;
  }

  /// Returns whether all batches were received, as far as the consumer can know: where rows had to
  /// be read to count them, it is told by [#isAtEnd] or [#next]. Else it would depend on how far
  /// workers are. Does not wait.
  ///
  /// @return false as long as there may be more
  public boolean isOver() {
    return (isCounted || wasEndSeen) && window.isOverNow();
  }

  /// Waits for the next batch.
  ///
  /// @return what the consumer receives, or null at the end or after [#cancel]
  /// @throws Throwable what a worker met when the next batch cannot be made
  public @Nullable Object next() throws Throwable {
    Delivered batch;
    if (inline != null || !window.isReady()) {
      ConsumerClock.Wait wait = consumer.begin();
      try {
        batch = waitForNext();
      } finally {
        consumer.end(wait);
      }
    } else {
      batch = takeNext();
    }
    if (batch != null) {
      memoryTurns.wake(); // its memory is the consumer's affair now
      rowsDelivered.addAndGet(batch.rowCount());
      batchesDelivered.incrementAndGet();
      position = position(batch.end());
    } else {
      wasEndSeen = true;
    }
    return batch == null ? null : batch.value();
  }

  private Position position(@Nullable RunPlace place) {
    if (place == null) {
      return new Position(rowsInAll(), 0);
    }
    Run run = runs.get(place.run());
    return new Position(rowsBefore[place.run()] + place.fileRow() - run.firstRow(), place.behind());
  }

  private long rowsInAll() {
    return runs.isEmpty() ? 0 : rowsBefore[runs.size() - 1] + runs.getLast().rowCount();
  }

  /// Returns where the next batch starts.
  ///
  /// @return the place behind the last batch that the consumer received, in the sequence of the
  ///   runs
  public Position position() {
    return position;
  }

  private @Nullable Delivered waitForNext() throws Throwable {
    decodeUntil(window::isReady);
    return takeNext();
  }

  /// Without workers decodes on this thread, one slice at a time, until enough is there.
  private void decodeUntil(BooleanSupplier enough) {
    RunDecoder decoder = inline;
    MemoryTurn turn = inlineTurn;
    if (decoder != null && turn != null && !enough.getAsBoolean()) {
      pool.here(
          this,
          () -> {
            turn.run(() -> clocks.of(0).run(Stage.BATCH, () -> decodeUntil(enough, decoder)));
            return decoder;
          });
    }
  }

  private void decodeUntil(BooleanSupplier enough, RunDecoder decoder) {
    // Enough may be less than a slice: the rest of it waits for the next call.
    while (!enough.getAsBoolean()) {
      if (!decoder.step()) {
        window.workersEnded();
        return;
      }
    }
  }

  private @Nullable Delivered takeNext() throws Throwable {
    try {
      // Whoever ends the epoch waits for users' code here too, and frees what it leaves.
      ConsumerWait wait = new ConsumerWait(timeout);
      return collates ? pool.here(this, () -> window.take(wait)) : window.take(wait);
    } catch (BatchWindow.Failure failure) {
      throw failure.getCause();
    }
  }

  @Override
  public void fail(Throwable failure) {
    window.fail(0, 0, 0, failure);
  }

  @Override
  public void cancel(String reason) {
    if (stopped == null) {
      stopped = "Cannot continue epoch " + number + ": " + reason + ".";
    }
    consumer.end();
    window.cancel(); // first, or it would take workers that end for workers that were lost
    memoryTurns.cancel();
    fetches.cancel();
  }

  /// Returns why the epoch ends before its rows do.
  ///
  /// @return a sentence; null if nobody stopped it
  public @Nullable String stopped() {
    return stopped;
  }

  @Override
  public void discardReady() {
    window.discardReady();
  }

  @Override
  public void discard() {
    if (inline != null) {
      inline.close();
    }
    fetches.close();
    window.discard();
  }

  /// Returns the number of the epoch.
  ///
  /// @return counted from 0
  public long number() {
    return number;
  }

  /// Returns the rows that the consumer received.
  ///
  /// @return how many so far
  public long rowsDelivered() {
    return rowsDelivered.get();
  }

  /// Returns the batches that the consumer received.
  ///
  /// @return how many so far
  public long batchesDelivered() {
    return batchesDelivered.get();
  }

  /// Returns how long the consumer waited.
  ///
  /// @return nanoseconds so far
  public long waitNanos() {
    return consumer.waitNanos();
  }

  /// Returns what the consumer waited for.
  ///
  /// @return its waits so far, by what workers did meanwhile
  public StageTimes waitedFor() {
    return consumer.waitedFor();
  }

  /// Returns how long the epoch has run.
  ///
  /// @return nanoseconds, until its end or until now
  public long nanos() {
    return consumer.nanos();
  }

  /// Returns where the workers' time went.
  ///
  /// @return so far, by the workers' numbers
  public List<WorkerStats> workers() {
    return clocks.stats();
  }

  /// Returns how many batches are ready and being filled.
  ///
  /// @return now
  public BatchQueue queue() {
    return window.queue();
  }

  /// Returns what was read from storage.
  ///
  /// @return bytes so far
  public long bytesRead() {
    return counter.bytes();
  }

  /// Returns how many rows a filter ruled out by what an open file says of them.
  ///
  /// @param level what told it; only of rows that were in a run
  /// @return rows so far
  public long rowsSkipped(PrunedRows.Level level) {
    return skips.rows(level);
  }

  /// Returns how many rows a filter tested and left out.
  ///
  /// @return rows so far
  public long rowsTestedInVain() {
    return skips.tested();
  }
}
