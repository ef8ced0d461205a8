package dev.penstock.internal.deliver;

import dev.penstock.batch.Batch;
import dev.penstock.internal.columns.BatchFinisher;
import dev.penstock.internal.columns.BatchLayout;
import dev.penstock.internal.columns.PartialBatch;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.memory.MemoryTurn;
import dev.penstock.internal.memory.SlabPool;
import dev.penstock.internal.workers.ConsumerWait;
import dev.penstock.internal.workers.TimedOut;
import dev.penstock.internal.workers.TransformException;
import dev.penstock.internal.workers.WorkerWait;
import dev.penstock.stats.BatchQueue;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/// The batches between workers and consumer: those being filled, those ready, and how far workers
/// may be ahead.
///
/// Batch `n` has rows `[n * batchSize, (n + 1) * batchSize)` of the epoch's sequence; where workers
/// take turns, these are its places, and it may have fewer rows, see
/// [dev.penstock.internal.plan.BatchTurns]. Workers may write batches `[delivered, delivered +
/// capacity)`, and only batch `delivered` when the rows written so far take too much memory; a
/// worker further ahead waits. The consumer takes batches in the order of the sequence, or each as
/// soon as it is ready; `delivered` is the first batch that it has not taken.
///
/// **Threads.** Any number of workers, one consumer; [#cancel] from any.
public final class DeliveryQueue {
  /* Order: a row's batch and place follow from its position in the sequence, so the order in which
   * workers arrive does not matter. Back-pressure: a worker asks admit() before it decodes. No
   * deadlock: runs are taken in the order of the sequence, so the worker that has the next row to
   * be delivered is always inside the window.
   *
   * The lock also guards three values without a lock of their own: how many rows there are
   * (EpochExtent), what failed first (FirstFailure), how often workers lag (LagGauge).
   */

  /// The worker has to wait, but can make the result of a batch meanwhile.
  private static final long COLLATE = -2;

  private final BatchLayout layout;
  private final BatchFinisher finisher;
  private final BatchMemory memory;
  private final ReadAhead ahead;
  private final int groups;
  private final BatchCollation collate;
  private final boolean collates;
  private final Runnable onBatchClose;
  private final RunStarts starts;
  private final EpochEnd end;

  private final BriefLock lock = new BriefLock();
  private final Condition moved = lock.newCondition();
  private final Condition ready = lock.newCondition();
  private final @Nullable PartialBatch[] filling;
  private final @Nullable Delivered[] finished;

  /// By slot, the batch whose result the thread that claimed it is making.
  private final @Nullable Delivered[] claimed;

  /// The finished batches in the order they finished, if they are taken so; null if taken in
  /// sequence.
  private final @Nullable Deque<Long> arrived;

  /// By slot, whether a batch was taken ahead of the sequence.
  private final boolean[] taken;

  /// Complete batches whose result no thread has begun to make.
  private final NavigableSet<Long> unclaimed = new TreeSet<>();

  /// How many results of the user's function are made or begun.
  private long claims;

  /// How many of them were taken.
  private long resultsTaken;

  /// By slot, the bytes that the batch has outside of its slab.
  private final long[] sideBytes;

  private long sideBytesInAll;
  private long delivered;

  /// How many batches may be written now, from `delivered` on.
  private int reach;

  private boolean ended; // No worker writes any more.
  private EpochExtent extent = new EpochExtent.Unknown(Long.MAX_VALUE);
  private FirstFailure failure = FirstFailure.NONE;
  private final LagGauge gauge = new LagGauge();

  /// Creates the queue of one epoch.
  ///
  /// @param delivery how batches are delivered
  /// @param starts where each run's rows are in the sequence; guarded by this queue's lock from now
  ///   on
  /// @param groups the number of parts of a row, see [ColumnGroup]; at least 1
  /// @param ahead how far workers may be ahead
  public DeliveryQueue(Delivery delivery, RunStarts starts, int groups, ReadAhead ahead) {
    this.layout = delivery.layout();
    this.groups = groups;
    this.finisher = new BatchFinisher(layout);
    this.memory = delivery.memory();
    this.ahead = ahead;
    this.collate = delivery.consumer().collate();
    this.collates = delivery.consumer().collates();
    this.onBatchClose = delivery.consumer().onBatchClose();
    this.starts = starts;
    this.end = delivery.end().inBatchesOf(layout.batchSize());
    this.reach = ahead.abreast();
    this.filling = new PartialBatch[ahead.batches()];
    this.finished = new Delivered[ahead.batches()];
    this.claimed = new Delivered[ahead.batches()];
    this.sideBytes = new long[ahead.batches()];
    this.arrived = delivery.inOrder() ? null : new ArrayDeque<>();
    this.taken = new boolean[ahead.batches()];
    settleRows();
  }

  private void settleRows() {
    extent = extent.counted(end, starts.end(layout.batchSize()));
    long batches = Math.ceilDiv(extent.rows(), layout.batchSize());
    boolean isBroken = end.isPromised() && batches < end.batchesMin() && !failure.isThere();
    if (isBroken && extent instanceof EpochExtent.Counted) {
      // The last batch is delivered even if it is short.
      failure =
          new FirstFailure(Integer.MAX_VALUE, 0, batches * layout.batchSize(), promiseOf(batches));
    }
  }

  private IllegalStateException promiseOf(long batches) {
    return new IllegalStateException(
        "Cannot deliver "
            + end.batchesMin()
            + " batches, as stepsPerEpoch promises: there are rows for "
            + batches
            + ". Give a number that every rank has rows for.");
  }

  /// Returns the place of a run's first row if it is known.
  ///
  /// @param run the run's number
  /// @return the place, or -1 where runs before are not counted
  public long start(int run) {
    lock.lock();
    try {
      return starts.start(run);
    } finally {
      lock.unlock();
    }
  }

  /// Waits until the place of a run's first row is known.
  ///
  /// @param run the run's number
  /// @return the place; or -1 when the run's rows will never be wanted
  public long awaitStart(int run) {
    lock.lock();
    try {
      while (starts.start(run) < 0 && !extent.isCancelled() && failure.run() > run) {
        MemoryTurn.check();
        WorkerWait.on(moved, "count");
      }
      return extent.isCancelled() ? -1 : starts.start(run);
    } finally {
      lock.unlock();
    }
  }

  /// Returns how a run is cut into batches of its own.
  ///
  /// @param run a run whose first row has a place
  /// @return null if it is not
  @Nullable BatchCuts cuts(int run) {
    lock.lock();
    try {
      return starts.cuts(run);
    } finally {
      lock.unlock();
    }
  }

  /// Records how many rows a run delivers. Every worker on the run may call it.
  ///
  /// @param run the run's number
  /// @param count its rows
  /// @param batches the rows of each batch; null where batches are full, across runs
  /// @param once run if the count was not known before, and before the consumer can see the end
  public void counted(int run, long count, int @Nullable [] batches, Runnable once) {
    BatchCuts cuts = batches == null ? null : new BatchCuts(batches, layout.batchSize());
    PartialBatch last = null;
    lock.lock();
    try {
      if (!starts.count(run, count, cuts)) {
        return;
      }
      once.run();
      settleRows();
      if (starts.total() >= 0) {
        last = shortenLast();
      }
      moved.signalAll();
      ready.signal();
    } finally {
      lock.unlock();
    }
    if (last != null) {
      finish(last);
      announce();
    }
  }

  /// Sets the number of rows of the last batch, which workers may have begun to fill; returns it if
  /// this completes it.
  private @Nullable PartialBatch shortenLast() {
    int count = (int) (extent.rows() % layout.batchSize());
    long last = extent.rows() / layout.batchSize();
    PartialBatch batch = filling[slot(last)];
    if (count == 0 || batch == null || batch.number != last) {
      return null;
    }
    boolean wasComplete = batch.isComplete();
    batch.shorten(count);
    return batch.isComplete() && !wasComplete ? batch : null;
  }

  /// Waits until a row may be written.
  ///
  /// @param group the part of the row
  /// @param position the row's place in the sequence
  /// @return the end of the rows that may be written now, above `position`; or -1 if no more are
  ///   wanted, because the epoch was cancelled, or failed or ended before `position`
  public long admit(int group, long position) {
    long end = admitOrCollate(group, position);
    while (end == COLLATE) {
      collateReady();
      end = admitOrCollate(group, position);
    }
    return end;
  }

  private long admitOrCollate(int group, long position) {
    int batchSize = layout.batchSize();
    long number = position / batchSize;
    boolean waited = false;
    lock.lock();
    try {
      gauge.ask();
      while (true) {
        if (!isWanted(group, position)) {
          return -1;
        }
        MemoryTurn.check();
        long end = delivered + (sideBytesInAll > ahead.sideBytes() ? 1 : reach);
        long affordable = number < end ? affordable(number, end) : end;
        if (number < affordable) {
          return Math.min(extent.rows(), turnEnd(number, affordable * batchSize));
        }
        if (!waited && outgrows(number)) {
          continue;
        }
        if (toCollate() >= 0) {
          return COLLATE;
        }
        waited = true;
        WorkerWait.on(moved, "consumer");
      }
    } finally {
      lock.unlock();
    }
  }

  /// Counts that a worker has to wait because others are behind. If that happens too often, lifts
  /// the limit.
  ///
  /// @return whether this call lifted the limit
  private boolean outgrows(long number) {
    boolean isAhead = reach < filling.length && number >= delivered + reach && nextReady() == null;
    if (!isAhead || !gauge.lag()) {
      return false;
    }
    reach = filling.length;
    moved.signalAll();
    return true;
  }

  /// Returns the end of the batches for which there is memory, at least the next one to deliver.
  private long affordable(long number, long end) {
    long least = number == delivered || filling[slot(number)] != null ? number + 1 : number;
    long bytes = memory.batchBytes();
    long spare = MemoryTurn.spare((end - number) * bytes);
    long next = memory.nextBatchBytes();
    long slabs = Math.max(spare / bytes, next == 0 || spare >= next ? 1 : 0);
    return Math.min(end, Math.max(least, number + slabs));
  }

  /// Returns `end`, or the end of the batch where workers take turns, so that the next batch is
  /// another worker's, or where batches need not be full.
  private long turnEnd(long number, long end) {
    return starts.isApart(number, layout.batchSize())
        ? number * layout.batchSize() + rowCount(number)
        : end;
  }

  private int rowCount(long number) {
    return starts.rowCount(number, layout.batchSize());
  }

  /// Returns whether workers take turns, so that places are not in the order of runs.
  ///
  /// @return true if so
  public boolean hasTurns() {
    return starts.hasTurns();
  }

  /// Returns the place of a row in the sequence of batches.
  ///
  /// @param row its number in the sequence of runs
  /// @return its place
  public long place(long row) {
    return starts.place(row);
  }

  /// Returns whether part of a row is still wanted.
  private boolean isWanted(int group, long position) {
    return !extent.isCancelled() && !extent.isBehind(position) && failure.wants(group, position);
  }

  /// Returns a batch that is being filled. The first worker to ask for it creates it.
  ///
  /// @param number an admitted batch
  /// @return the batch
  public PartialBatch batch(long number) {
    PartialBatch begun = begun(number);
    return begun != null ? begun : begin(number);
  }

  private @Nullable PartialBatch begun(long number) {
    lock.lock();
    try {
      return filling[slot(number)];
    } finally {
      lock.unlock();
    }
  }

  private PartialBatch begin(long number) {
    // Outside of the lock: this may wait for memory, whose holders may need the lock.
    SlabPool.Slab slab = memory.take();
    lock.lock();
    try {
      PartialBatch other = filling[slot(number)];
      if (other != null) {
        slab.release();
        return other;
      }
      long start = number * layout.batchSize();
      int rowCount = (int) Math.min(rowCount(number), extent.rows() - start);
      PartialBatch batch = new PartialBatch(number, rowCount, groups, slab, memory, layout);
      filling[slot(number)] = batch;
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /// Counts rows `[from, from + count)` of a batch as written by a group. The worker that writes
  /// the last rows finishes the batch.
  ///
  /// @param batch the batch
  /// @param group the part
  /// @param from the first row
  /// @param count how many rows
  public void filled(PartialBatch batch, int group, int from, int count) {
    lock.lock();
    try {
      batch.add(group, from, count);
      countSideBytes(batch);
      if (!batch.isComplete()) {
        if (failure.isThere()) {
          ready.signal();
        }
        return;
      }
    } finally {
      lock.unlock();
    }
    finish(batch);
  }

  private void finish(PartialBatch filled) {
    Batch batch;
    try {
      filled.unreserve();
      batch = MemoryTurn.force(() -> finisher.finish(filled, onBatchClose));
    } catch (Throwable e) {
      String sentence = "Cannot finish batch " + filled.number + ": " + e;
      failFinished(filled, new IllegalStateException(sentence, e));
      return;
    }
    // From now on the memory is the batch's.
    lock.lock();
    try {
      int slot = slot(filled.number);
      countSideBytes(filled);
      filling[slot] = null;
      finished[slot] = new Delivered(batch, batch.rowCount(), collates ? null : batch, filled);
      if (collates) {
        unclaimed.add(filled.number);
      } else if (arrived != null) {
        arrived.add(filled.number);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Returns the first batch whose result a worker may make now; -1 if there is none. Where batches
  /// are taken in order, it is one of the next `ahead.results()`, so that the very next is always
  /// allowed.
  private long toCollate() {
    if (extent.isCancelled() || unclaimed.isEmpty()) {
      return -1;
    }
    boolean mayBeAhead =
        arrived == null
            ? unclaimed.first() < delivered + ahead.results()
            : claims - resultsTaken < ahead.results();
    return mayBeAhead ? firstUnclaimed() : -1;
  }

  private long firstUnclaimed() {
    long first = unclaimed.isEmpty() ? -1 : unclaimed.first();
    return first * layout.batchSize() < failure.position() ? first : -1;
  }

  /// Makes results of batches while the read-ahead limit allows.
  private void collateReady() {
    Delivered batch = claimNext();
    while (batch != null) {
      collate(batch);
      batch = claimNext();
    }
  }

  private @Nullable Delivered claimNext() {
    lock.lock();
    try {
      long number = toCollate();
      return number < 0 ? null : claim(number);
    } finally {
      lock.unlock();
    }
  }

  private Delivered claim(long number) {
    unclaimed.remove(number);
    claims++;
    int slot = slot(number);
    Delivered batch = Objects.requireNonNull(finished[slot]);
    finished[slot] = null;
    claimed[slot] = batch;
    return batch;
  }

  /// Makes the result of a claimed batch. Runs users' code, so the lock is not held.
  private void collate(Delivered batch) {
    long number = batch.filled().number;
    Delivered made = null;
    TransformException failed = null;
    try {
      made = collated(batch);
    } catch (TransformException e) {
      failed = e;
    }
    lock.lock();
    try {
      claimed[slot(number)] = null;
      finished[slot(number)] = made;
      if (made != null && arrived != null) {
        arrived.add(number);
      }
      if (nextReady() != null) {
        ready.signal();
      }
    } finally {
      lock.unlock();
    }
    if (failed != null) {
      failFinished(batch.filled(), failed);
    }
  }

  /// Makes results until every batch has one. Called by a worker that has no rows left to decode.
  public void collateRest() {
    while (awaitCollatable()) {
      collateReady();
    }
  }

  private boolean awaitCollatable() {
    lock.lock();
    try {
      while (collates && !extent.isCancelled() && !failure.isThere() && !areAllClaimed()) {
        if (toCollate() >= 0) {
          return true;
        }
        WorkerWait.on(moved, "consumer");
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  private boolean areAllClaimed() {
    return extent.isBounded() && claims >= Math.ceilDiv(extent.rows(), layout.batchSize());
  }

  /// Records the failure of a complete batch at its first row, so that it precedes all later
  /// failures.
  private void failFinished(PartialBatch filled, Throwable cause) {
    fail(0, 0, filled.number * layout.batchSize(), cause);
  }

  private Delivered collated(Delivered batch) {
    try {
      return batch.with(
          Objects.requireNonNull(
              collate.collate(batch.batch()), "the function returned null but expected a result"));
    } catch (Throwable e) {
      batch.batch().close();
      throw new TransformException("Cannot collate batch " + batch.filled().number + ": " + e, e);
    }
  }

  /// Returns whether an admitted batch may still be filled: batches may have grown more than
  /// expected since.
  ///
  /// @param number the batch
  /// @return true if so
  public boolean hasRoomFor(long number) {
    lock.lock();
    try {
      return number == delivered || sideBytesInAll <= ahead.sideBytes();
    } finally {
      lock.unlock();
    }
  }

  private int slot(long number) {
    return (int) (number % filling.length);
  }

  private void countSideBytes(PartialBatch batch) {
    long bytes = batch.sideBytes();
    sideBytesInAll += bytes - sideBytes[slot(batch.number)];
    sideBytes[slot(batch.number)] = bytes;
  }

  /// Wakes the consumer if its next batch is ready, and makes results while the read-ahead limit
  /// allows. Called once per slice, so that a slice of many small batches wakes the consumer once.
  public void announce() {
    lock.lock();
    try {
      if (toCollate() >= 0) {
        moved.signalAll(); // other workers may help
      } else if (nextReady() != null) {
        ready.signal();
      }
    } finally {
      lock.unlock();
    }
    if (collates) {
      collateReady();
    }
  }

  /// Returns the number of the batch to take now; null if none is ready. A batch whose result no
  /// worker has begun counts as ready: the consumer makes the result.
  private @Nullable Long nextReady() {
    if (arrived != null) {
      Long first = arrived.peek();
      long waiting = first == null ? firstUnclaimed() : -1;
      return waiting < 0 ? first : Long.valueOf(waiting);
    }
    return finished[slot(delivered)] != null ? delivered : null;
  }

  /// Records that a row cannot be delivered. All batches before the row's are still delivered. Of
  /// several failures, that of the first row counts, and within a row that of the first group, so
  /// that the error does not depend on timing.
  ///
  /// @param run the number of the run that the row is in, or of one before
  /// @param group the part of the row that failed
  /// @param position the row's place in the sequence
  /// @param cause why
  public void fail(int run, int group, long position, Throwable cause) {
    lock.lock();
    try {
      failure = failure.or(new FirstFailure(run, group, position, cause));
      ready.signal();
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Returns whether all batches were taken; waits until that is known.
  ///
  /// @param wait how long it may take
  /// @return true if so
  /// @throws TimedOut if the time is over
  /// @throws InterruptedIOException if the thread is interrupted
  public boolean isAtEnd(ConsumerWait wait) throws TimedOut, InterruptedIOException {
    lock.lock();
    try {
      while (!hasNext() && !isOver() && !isSettled()) {
        wait.on(ready);
      }
      return isOver();
    } catch (InterruptedException e) {
      throw ConsumerWait.interrupted(next(), e);
    } finally {
      lock.unlock();
    }
  }

  /// Returns whether it is known that all batches were taken. Does not wait.
  ///
  /// @return true if so
  public boolean isOverNow() {
    lock.lock();
    try {
      return isOver();
    } finally {
      lock.unlock();
    }
  }

  /// Returns whether it is known if another batch or failure will come.
  ///
  /// @return true if so
  public boolean isEndKnown() {
    lock.lock();
    try {
      return hasNext() || isSettled();
    } finally {
      lock.unlock();
    }
  }

  /// Returns whether the next batch is known to come.
  private boolean hasNext() {
    return extent.isBounded() && !isOver();
  }

  private boolean isOver() {
    return areRowsOver() && delivered >= end.batchesMin();
  }

  private boolean areRowsOver() {
    return extent.isBehind(delivered * layout.batchSize());
  }

  /// Returns whether the next batch, failure or end is ready.
  ///
  /// @return true if so
  public boolean isReady() {
    lock.lock();
    try {
      return isSettled();
    } finally {
      lock.unlock();
    }
  }

  private boolean isSettled() {
    return extent.isCancelled() || areRowsOver() || nextReady() != null || isFailed();
  }

  /// Returns whether the failure is final: nothing before it can fail any more, because all of that
  /// is in the batch or no worker is left to write it.
  private boolean isFailed() {
    if (ended) {
      return true;
    }
    if (!failure.isThere() || failure.position() >= (delivered + 1) * layout.batchSize()) {
      return false;
    }
    int row = (int) Math.max(-1, failure.position() - delivered * layout.batchSize());
    PartialBatch batch = filling[slot(delivered)];
    for (int group = 0; group < groups; group++) {
      int end = group < failure.group() ? row + 1 : row;
      if (end > 0 && (batch == null || !batch.hasRowsBefore(end, group))) {
        return false;
      }
    }
    return true;
  }

  /// Waits for the next batch and takes it.
  ///
  /// @param wait how long it may take
  /// @param mayMake whether it may make the batch's result if no worker has begun it, by users'
  ///   code that may take longer; else it waits for a worker, unless one may be missing
  /// @return the batch, or null when the epoch was cancelled or is at its end
  /// @throws Failure if the next batch cannot be made, or the thread is interrupted
  /// @throws TimedOut if the time is over
  public @Nullable Delivered take(ConsumerWait wait, boolean mayMake) throws Failure, TimedOut {
    while (true) {
      Delivered toMake;
      lock.lock();
      try {
        while (!isTakeable(mayMake)) {
          wait.on(ready);
        }
        if (extent.isCancelled() || isOver()) {
          return null;
        }
        if (areRowsOver() && !failure.isThere()) {
          break;
        }
        Long next = nextReady();
        if (next == null) {
          throw new Failure(failure.isThere() ? failure.cause() : lost());
        }
        if (Objects.requireNonNull(finished[slot(next)]).value() != null) {
          return take(next);
        }
        toMake = claim(next);
      } catch (InterruptedException e) {
        throw new Failure(ConsumerWait.interrupted(next(), e));
      } finally {
        lock.unlock();
      }
      collate(toMake);
    }
    return emptyBatch();
  }

  /// Returns whether the consumer can go on without any worker.
  ///
  /// @param mayMake whether it makes results, see [#take]
  /// @return false if it waits for one, or would
  public boolean isForConsumer(boolean mayMake) {
    lock.lock();
    try {
      return isTakeable(mayMake);
    } finally {
      lock.unlock();
    }
  }

  private boolean isTakeable(boolean mayMake) {
    return isSettled() && (mayMake || !isForWorkers());
  }

  /// Returns whether a worker will make the result of the next batch: the one that filled it does,
  /// at the latest behind its slice.
  private boolean isForWorkers() {
    Long next = nextReady();
    return next != null
        && Objects.requireNonNull(finished[slot(next)]).value() == null
        && !ended
        && !failure.isThere()
        && !extent.isCancelled();
  }

  private String next() {
    return "batch " + delivered + " of the epoch";
  }

  private IllegalStateException lost() {
    return new IllegalStateException(
        "Batch "
            + delivered
            + " does not come: all workers have ended. This is a defect of Penstock; please report"
            + " it.");
  }

  private Delivered take(long number) {
    int slot = slot(number);
    Delivered batch = Objects.requireNonNull(finished[slot]);
    finished[slot] = null;
    resultsTaken += collates ? 1 : 0;
    sideBytesInAll -= sideBytes[slot];
    sideBytes[slot] = 0;
    taken[slot] = true;
    if (arrived != null) {
      arrived.remove();
    }
    while (taken[slot(delivered)]) {
      taken[slot(delivered)] = false;
      delivered++;
    }
    batch.filled().handOver();
    moved.signalAll();
    return batch;
  }

  /// Called without the lock: runs the user's function, and closing a batch there wakes workers.
  private Delivered emptyBatch() {
    PartialBatch empty = new PartialBatch(delivered, 0, groups, memory.take(), memory, layout);
    empty.unreserve();
    Batch none = finisher.finish(empty, onBatchClose);
    Delivered batch = collated(new Delivered(none, 0, null, empty));
    lock.lock();
    try {
      delivered++;
    } finally {
      lock.unlock();
    }
    empty.handOver();
    return batch;
  }

  /// Returns how many batches are ready and being filled.
  ///
  /// @return the numbers
  public BatchQueue counts() {
    lock.lock();
    try {
      int ready = (int) Arrays.stream(finished).filter(Objects::nonNull).count();
      int begun = (int) Arrays.stream(filling).filter(Objects::nonNull).count();
      int making = (int) Arrays.stream(claimed).filter(Objects::nonNull).count();
      return new BatchQueue(ready, begun + making, filling.length);
    } finally {
      lock.unlock();
    }
  }

  /// Returns the memory that the next batch to be received has and has reserved; -1 if it was not
  /// begun.
  ///
  /// @return bytes, or -1
  public long bytesOfNext() {
    lock.lock();
    try {
      int slot = slot(delivered);
      PartialBatch partial = filling[slot];
      Delivered batch = finished[slot] != null ? finished[slot] : claimed[slot];
      PartialBatch begun = partial != null || batch == null ? partial : batch.filled();
      return begun == null ? -1 : begun.keptBytes();
    } finally {
      lock.unlock();
    }
  }

  /// Wakes all waiting workers, so that they check whether they have to give up their memory.
  public void wake() {
    lock.lock();
    try {
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Reports that all workers have ended: missing rows will not come.
  public void workersEnded() {
    lock.lock();
    try {
      ended = true;
      ready.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Wakes all workers and the consumer, so that they end.
  public void cancel() {
    lock.lock();
    try {
      extent = extent.cancelled();
      moved.signalAll();
      ready.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Frees the batches that are ready. Call it after [#cancel]; workers may still be running.
  public void discardReady() {
    List<Delivered> unwanted = new ArrayList<>();
    lock.lock();
    try {
      for (int slot = 0; slot < finished.length; slot++) {
        Delivered batch = finished[slot];
        if (batch != null) {
          unwanted.add(batch);
          finished[slot] = null;
        }
      }
    } finally {
      lock.unlock();
    }
    unwanted.forEach(Delivered::discard); // runs users' code
  }

  /// Gives back the memory of all batches that were not taken. Call it after all workers have
  /// stopped.
  public void discard() {
    discardReady();
    lock.lock();
    try {
      for (int slot = 0; slot < filling.length; slot++) {
        PartialBatch partial = filling[slot];
        if (partial != null) {
          partial.release();
          filling[slot] = null;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /// An error of a worker, on its way to the consumer.
  public static final class Failure extends Exception {
    private static final long serialVersionUID = 1L;

    Failure(@Nullable Throwable cause) {
      super(cause);
    }
  }
}
