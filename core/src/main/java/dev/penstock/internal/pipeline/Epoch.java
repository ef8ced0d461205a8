package dev.penstock.internal.pipeline;

import dev.penstock.internal.clock.ClockedEpoch;
import dev.penstock.internal.clock.ConsumerClock;
import dev.penstock.internal.clock.EpochRecorder;
import dev.penstock.internal.clock.FlightEvents;
import dev.penstock.internal.columns.BatchLayout;
import dev.penstock.internal.columns.ColumnGroup;
import dev.penstock.internal.decode.Decoding;
import dev.penstock.internal.decode.EpochInput;
import dev.penstock.internal.decode.EpochResources;
import dev.penstock.internal.decode.SkipCounter;
import dev.penstock.internal.deliver.BatchConsumer;
import dev.penstock.internal.deliver.BatchSinks;
import dev.penstock.internal.deliver.Delivered;
import dev.penstock.internal.deliver.Delivery;
import dev.penstock.internal.deliver.DeliveryQueue;
import dev.penstock.internal.deliver.ReadAhead;
import dev.penstock.internal.deliver.RunStarts;
import dev.penstock.internal.deliver.StepTrace;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.memory.WorkerScratch;
import dev.penstock.internal.plan.BatchTurns;
import dev.penstock.internal.plan.EpochEnd;
import dev.penstock.internal.plan.Position;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.RunPlace;
import dev.penstock.internal.plan.SkippedSteps;
import dev.penstock.internal.workers.ConsumerWait;
import dev.penstock.internal.workers.TimedOut;
import dev.penstock.internal.workers.WorkerPool;
import dev.penstock.internal.workers.WorkerTask;
import dev.penstock.stats.BatchQueue;
import dev.penstock.stats.EpochTimes;
import dev.penstock.stats.StatsSample;
import dev.penstock.stats.StoreReads;
import dev.penstock.stats.Timeline;
import dev.penstock.steps.Steps;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// One pass over the rows: the runs to decode, and the batches they become.
///
/// With workers, their threads call [#work]; without, the consumer decodes in [#next], just as much
/// as the next batch needs.
///
/// **Threads.** [#next] by one consumer; [#cancel] from any.
public final class Epoch implements WorkerTask {
  /// What batches may take ahead of the consumer, however narrow their rows are.
  private static final long AHEAD_BYTES = 1L << 20;

  /// How long after a look at the times the next one is taken, unless the epoch ends.
  private static final long LOOK_NANOS = Duration.ofMillis(10).toNanos();

  /// How long after a sample of the numbers the next one is taken.
  private static final long SAMPLE_NANOS = Duration.ofMillis(20).toNanos();

  /// About what the objects of a batch weigh beside its rows.
  private static final long OBJECT_BYTES = 1L << 10;

  private final long number;
  private final List<Run> runs;
  private final long[] rowsBefore; // of each run
  private final @Nullable BatchTurns turns;
  private final BatchLayout layout;
  private final DeliveryQueue queue;
  private final Decoding decoding;
  private final WorkerPool pool;
  private final WorkerTuner tuner;
  private final BatchConsumer receiver;
  private final @Nullable StepTrace trace;
  private final AtomicLong rowsDelivered = new AtomicLong();
  private final AtomicLong batchesDelivered = new AtomicLong();
  private final AtomicLong rowsDropped = new AtomicLong();
  private final AtomicLong batchesDropped = new AtomicLong();
  private final List<Stretch> dropped = new CopyOnWriteArrayList<>();
  private long stepsBefore;
  private volatile List<Steps> skips = List.of();
  private final ConsumerClock consumer;
  private final ClockedEpoch clocked;
  private final MemoryMeter meter;
  private final AtomicBoolean isEndTold = new AtomicBoolean();
  private final boolean isInline; // without workers
  private final boolean isCounted; // how many rows there are was known before they were read
  private volatile boolean wasEndSeen;
  private volatile @Nullable String stopped;
  private volatile Position position = Position.START;
  private long sampled; // by the time of the epoch
  private @Nullable EpochTimes looked; // how the time was spent until the last look

  public Epoch(
      long number, EpochInput rows, EpochResources means, Delivery delivery, WorkerTuner tuner) {
    this.number = number;
    this.tuner = tuner;
    this.pool = means.pool();
    this.meter = means.meter();
    this.clocked = means.clocked();
    this.receiver = delivery.consumer();
    this.trace = delivery.trace();
    this.runs = rows.runs();
    this.rowsBefore = new long[runs.size()];
    for (int i = 1; i < rowsBefore.length; i++) {
      rowsBefore[i] = rowsBefore[i - 1] + runs.get(i - 1).rowCount();
    }
    this.layout = delivery.layout();
    this.turns = rows.turns();
    this.isInline = means.workers() == 0;
    List<ColumnGroup> groups = rows.groups(layout.columns(), means);
    RunStarts starts = new RunStarts(turns, rows.counts());
    boolean isTotalKnown = starts.total() >= 0;
    EpochEnd end = delivery.end().inBatchesOf(layout.batchSize());
    this.isCounted = isTotalKnown || end.rowsMax() < Long.MAX_VALUE;
    ReadAhead ahead = readAhead(means, delivery.prefetchFactor(), groups.size(), isTotalKnown);
    this.queue =
        new DeliveryQueue(delivery.onBatchClose(this::wakeForMemory), starts, groups.size(), ahead);
    long batchBytes = delivery.memory().batchBytes();
    this.decoding =
        new Decoding(rows, groups, means, batchBytes, new BatchSinks(layout, queue, mayMake()));
    this.consumer = new ConsumerClock(decoding.clocks(), System::nanoTime);
  }

  /// Rows of steps that were skipped, in the sequence of the runs.
  public record Stretch(long first, long end) {}

  /// Leaves out steps from now on: their batches are made, but dropped.
  ///
  /// @param before how many steps the epoch had before its first batch here
  /// @param steps in ascending order
  public void skip(long before, List<Steps> steps) {
    stepsBefore = before;
    skips = steps;
  }

  /// Drops batches of steps that are left out, as long as they are the next. Returns whether the
  /// next one is not left out, or there is none.
  ///
  /// @param isPatient whether to wait for them
  private boolean dropSkipped(boolean isPatient) throws Throwable {
    while (isNextSkipped()) {
      Delivered batch = isPatient || isNextReady() ? receive() : null;
      if (batch == null) {
        return isPatient || isNextReady();
      }
      long first = position.rows();
      batchesDropped.incrementAndGet();
      rowsDropped.addAndGet(batch.rowCount());
      position = position(batch.end());
      dropped.add(new Stretch(first, position.rows()));
      batch.discard();
      decoding.wake();
    }
    return true;
  }

  private boolean isNextSkipped() {
    List<Steps> steps = skips; // none for nearly everybody
    return !steps.isEmpty() && SkippedSteps.contains(steps, stepsBefore + batchesPassed());
  }

  private void wakeForMemory() {
    decoding.wake();
  }

  /// The first worker's rows are delivered as they come. The queue holds what the others decode
  /// meanwhile, a run for each, and some finished batches and slices besides; of narrow rows more
  /// slices, which may be decoded before a consumer that has slept is awake. Workers that share a
  /// run count as one, but then the fastest of them may be a run ahead of the slowest, or two
  /// slices as long as they keep abreast; so may one whose run is delivered late because it had to
  /// be counted.
  private ReadAhead readAhead(
      EpochResources means, int prefetchFactor, int groups, boolean isCountedBefore) {
    // Half is for batches, a quarter each for lists and for staged rows; readers have the rest.
    long sideBytes = means.meter().limit() / 4;
    long bytesMax = means.meter().limit() / 2;
    int workers = means.workers();
    if (isInline) {
      return new ReadAhead(1, sideBytes, 0);
    }
    int results = (int) Math.min((long) workers * prefetchFactor, Integer.MAX_VALUE);
    long least = 1 + (long) results;
    if (turns != null) {
      return new ReadAhead(affordable(least + workers, bytesMax), sideBytes, results);
    }
    int batchSize = layout.batchSize();
    long twoSlices = Math.ceilDiv(2L * Decoding.SLICE_ROWS_MAX, batchSize);
    long inHand = least + Math.max(twoSlices, AHEAD_BYTES / (layout.batchBytes() + OBJECT_BYTES));
    long longest = runs.stream().mapToLong(Run::rowCount).max().orElse(0);
    int runsAtOnce = Math.clamp(runs.size(), 1, Math.ceilDiv(workers, groups));
    boolean isShared = groups > 1;
    int runsAhead = isShared || !isCountedBefore ? runsAtOnce : runsAtOnce - 1;
    int batches = affordable(inHand + Math.ceilDiv(longest, batchSize) * runsAhead, bytesMax);
    boolean mayKeepAbreast = isShared && isCountedBefore && runsAtOnce == 1;
    int abreast =
        mayKeepAbreast ? Math.min(batches, affordable(inHand + twoSlices, bytesMax)) : batches;
    return new ReadAhead(batches, abreast, sideBytes, results);
  }

  private int affordable(long batches, long bytesMax) {
    long room = Math.max(1, bytesMax / Math.max(1, layout.batchBytes()));
    return (int) Math.min(Math.min(batches, room), Integer.MAX_VALUE >> 4);
  }

  @Override
  public void work(WorkerScratch scratch, int worker) {
    decoding.work(scratch, worker);
  }

  /// Returns whether all batches were received; where it is not known how many there are, waits
  /// until the next one, or the end, is there.
  ///
  /// @return true when [#next] has nothing more to give; false after [#cancel] before the end
  public boolean isAtEnd() throws TimedOut, InterruptedIOException {
    try {
      boolean _ = dropSkipped(true);
    } catch (TimedOut | InterruptedIOException e) {
      throw e;
    } catch (Throwable _) { // the next batch fails again, and says why
      return false;
    }
    boolean ended;
    if (queue.isEndKnown()) {
      ended = queue.isOverNow();
    } else {
      ConsumerClock.Wait wait = consumer.begin();
      try {
        decoding.decodeUntil(this, queue::isEndKnown);
        ended = queue.isAtEnd(new ConsumerWait(receiver.timeout()));
      } finally {
        consumer.end(wait);
      }
    }
    if (ended) {
      consumer.end();
      seeEnd();
    }
    return ended;
  }

  /// Returns whether all batches were received, as far as the consumer can know: where rows had to
  /// be read to count them, it is told by [#isAtEnd] or [#next]. Else it would depend on how far
  /// workers are. Does not wait.
  public boolean isOver() {
    return (isCounted || wasEndSeen) && queue.isOverNow();
  }

  /// Returns whether [#next()] does not wait for workers. Without workers, batches are made only
  /// when they are asked for.
  public boolean isReady() {
    try {
      return dropSkipped(false) && isNextReady();
    } catch (Throwable _) { // as in isAtEnd()
      return true;
    }
  }

  private boolean isNextReady() {
    return !isInline && queue.isReady();
  }

  /// Waits for the next batch. Returns what the consumer receives, or null at the end or after
  /// [#cancel].
  ///
  /// @throws Throwable what a worker met when the next batch cannot be made
  public @Nullable Object next() throws Throwable {
    boolean _ = dropSkipped(true);
    Delivered batch = receive();
    if (batch != null) {
      decoding.wake(); // its memory is the consumer's affair now
      tell(batch);
      rowsDelivered.addAndGet(batch.rowCount());
      batchesDelivered.incrementAndGet();
      consumer.received();
      position = position(batch.end());
      tune();
      sample();
    } else {
      seeEnd();
    }
    return batch == null ? null : batch.value();
  }

  /// Tells which rows the consumer receives. What cannot be told is not received.
  private void tell(Delivered batch) throws IOException {
    if (trace == null) {
      return;
    }
    try {
      trace.received(batch.number(), batch.parts());
    } catch (Throwable e) {
      batch.discard();
      cancel("the digest of a step could not be noted");
      throw e;
    }
  }

  private @Nullable Delivered receive() throws Throwable {
    if (isInline || !queue.isReady()) {
      ConsumerClock.Wait wait = consumer.begin();
      try {
        decoding.decodeUntil(this, queue::isReady);
        return takeNext();
      } finally {
        consumer.end(wait);
      }
    }
    return takeNext();
  }

  private void tune() {
    EpochTimes before = looked;
    if (!tuner.isFixed() && (before == null || consumer.nanos() - before.nanos() > LOOK_NANOS)) {
      look(before);
    }
  }

  private void sample() {
    if (FlightEvents.wantsSamples(clocked)) {
      long now = consumer.nanos();
      if (sampled == 0 || now - sampled >= SAMPLE_NANOS) {
        sampled = now;
        FlightEvents.sample(clocked, sampleAt(now));
      }
    }
  }

  private StatsSample sampleAt(long nanos) {
    long bytes = storesRead().values().stream().mapToLong(StoreReads::bytes).sum();
    return new StatsSample(
        nanos, rowsDelivered(), batchesDelivered(), bytes, meter.used(), queue());
  }

  private void tellEnd() {
    boolean samples = FlightEvents.wantsSamples(clocked);
    boolean ends = FlightEvents.wantsEnds();
    if ((samples || ends) && isEndTold.compareAndSet(false, true)) {
      StatsSample last = sampleAt(consumer.nanos());
      if (samples) {
        FlightEvents.sample(clocked, last);
      }
      if (ends) {
        FlightEvents.ended(
            clocked,
            new FlightEvents.Ended(
                last, bytesCached(), meter.peak(), meter.limit(), consumer.times()));
      }
    }
  }

  private void look(@Nullable EpochTimes before) {
    EpochTimes now = consumer.times();
    if (before != null) {
      decoding(tuner.choose(before, now));
    }
    looked = now;
  }

  void decoding(int count) {
    decoding.decoding(count);
  }

  private void seeEnd() {
    if (!wasEndSeen && looked != null) {
      look(looked);
    }
    wasEndSeen = true;
    tellEnd();
  }

  private Position position(@Nullable RunPlace place) {
    if (place == null) {
      long all = runs.isEmpty() ? 0 : rowsBefore[runs.size() - 1] + runs.getLast().rowCount();
      return new Position(all, 0);
    }
    Run run = runs.get(place.run());
    return new Position(rowsBefore[place.run()] + place.fileRow() - run.firstRow(), place.behind());
  }

  /// Returns the place behind the last batch that the consumer received, in the sequence of the
  /// runs.
  public Position position() {
    return position;
  }

  private @Nullable Delivered takeNext() throws Throwable {
    try {
      // Whoever ends the epoch waits for users' code here too, and frees what it leaves.
      ConsumerWait wait = new ConsumerWait(receiver.timeout());
      return receiver.collates()
          ? pool.here(this, () -> queue.take(wait, mayMake()))
          : queue.take(wait, mayMake());
    } catch (DeliveryQueue.Failure failure) {
      throw failure.getCause();
    }
  }

  /// Returns whether the consumer makes results that no worker has begun to make.
  private boolean mayMake() {
    return isInline || receiver.timeout().isZero();
  }

  @Override
  public void fail(Throwable failure) {
    queue.fail(0, 0, 0, failure);
  }

  @Override
  public void cancel(String reason) {
    if (stopped == null) {
      stopped = "Cannot continue epoch " + number + ": " + reason + ".";
    }
    consumer.end();
    queue.cancel(); // first, or it would take workers that end for workers that were lost
    decoding.cancel();
    tellEnd();
  }

  /// Returns why the epoch ends before its rows do, as a sentence; null if nobody stopped it.
  public @Nullable String stopped() {
    return stopped;
  }

  @Override
  public void discardReady() {
    queue.discardReady();
  }

  @Override
  public void discard() {
    try {
      decoding.close();
    } finally {
      queue.discard();
    }
  }

  public long number() {
    return number;
  }

  public long rowsDelivered() {
    return rowsDelivered.get();
  }

  public long batchesDelivered() {
    return batchesDelivered.get();
  }

  /// Returns how many batches were received or skipped.
  public long batchesPassed() {
    return batchesDelivered.get() + batchesDropped.get();
  }

  /// Returns how many rows were received or skipped.
  public long rowsPassed() {
    return rowsDelivered.get() + rowsDropped.get();
  }

  /// Returns the rows that were skipped so far.
  public List<Stretch> dropped() {
    return dropped;
  }

  /// Returns the steps that are left out.
  public List<Steps> skippedSteps() {
    return skips;
  }

  public EpochTimes times() {
    return consumer.times();
  }

  /// Returns a snapshot of what was recorded of the epoch; empty if nothing is recorded.
  public Timeline timeline() {
    EpochRecorder recorder = clocked.recorder();
    return recorder == null ? Timeline.NONE : recorder.timeline().timeline();
  }

  public BatchQueue queue() {
    return queue.counts();
  }

  public SortedMap<String, StoreReads> storesRead() {
    return decoding.storesRead();
  }

  /// Returns the bytes that were read from caches instead of storage.
  public long bytesCached() {
    return decoding.bytesCached();
  }

  /// Returns what a filter left out of the rows in runs, and what was padded so far.
  public SkipCounter skips() {
    return decoding.skips();
  }
}
