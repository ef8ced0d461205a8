package dev.penstock.internal.deliver;

import dev.penstock.batch.Batch;
import dev.penstock.internal.columns.BatchFinisher;
import dev.penstock.internal.columns.BatchLayout;
import dev.penstock.internal.columns.PartialBatch;
import dev.penstock.internal.deliver.BriefLock.Held;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.memory.MemoryTurn;
import dev.penstock.internal.memory.SlabPool;
import dev.penstock.internal.workers.ConsumerWait;
import dev.penstock.internal.workers.TimedOut;
import dev.penstock.internal.workers.WorkerWait;
import dev.penstock.stats.BatchQueue;
import java.io.InterruptedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The batches between workers and consumer: those being filled, those ready, and how far workers
/// may be ahead.
///
/// Batch `n` has rows `[n * batchSize, (n + 1) * batchSize)` of the epoch's sequence; where workers
/// take turns, these are its places, and it may have fewer rows, see
/// [dev.penstock.internal.plan.BatchTurns]. Workers may write a window of batches, from the first
/// that the consumer has not taken on, and only that one when the rows written so far take too much
/// memory; a worker further ahead waits. The consumer takes batches in the order of the sequence,
/// or each as soon as it is ready.
///
/// **Threads.** Any number of workers, one consumer; [#cancel] from any.
public final class DeliveryQueue {
  /* Order: a row's batch and place follow from its position in the sequence, so the order in which
   * workers arrive does not matter. Back-pressure: a worker asks admit() before it decodes. No
   * deadlock: runs are taken in the order of the sequence, so the worker that has the next row to
   * be delivered is always inside the window. Users' code runs without the lock.
   */

  private final BatchLayout layout;
  private final BatchFinisher finisher;
  private final BatchMemory memory;
  private final int groups;
  private final BatchConsumer consumer;
  private final boolean isTraced;

  private final BriefLock lock = new BriefLock();

  // Guarded by the lock, and so is what they refer to.
  private final RunStarts starts; // but for its turns and places, which need no lock
  private final WantedRows rows;
  private final OpenBatches open;
  private final WorkerLead reach;
  private final Collating collating;
  private boolean ended; // no worker writes any more

  /// @param starts guarded by this queue's lock from now on
  /// @param groups the number of parts of a row, at least 1, see
  ///   [dev.penstock.internal.columns.ColumnGroup]
  public DeliveryQueue(Delivery delivery, RunStarts starts, int groups, ReadAhead ahead) {
    this.layout = delivery.layout();
    this.groups = groups;
    this.finisher = new BatchFinisher(layout);
    this.memory = delivery.memory();
    this.consumer = delivery.consumer();
    this.isTraced = delivery.trace() != null;
    this.starts = starts;
    this.rows = new WantedRows(layout.batchSize(), starts, delivery.end());
    this.open = new OpenBatches(ahead.batches());
    this.reach = new WorkerLead(ahead, open);
    this.collating = new Collating(lock, consumer, rows, open, ahead.results(), delivery.inOrder());
  }

  /// Returns the place of a run's first row, or -1 where runs before are not counted.
  public long start(int run) {
    try (Held _ = lock.hold()) {
      return starts.start(run);
    }
  }

  /// Waits until the place of a run's first row is known; returns it, or -1 when the run's rows
  /// will never be wanted.
  public long awaitStart(int run) {
    try (Held _ = lock.hold()) {
      while (rows.awaitsStart(run)) {
        MemoryTurn.check();
        WorkerWait.on(lock.moved, "count");
      }
      return rows.isCancelled() ? -1 : starts.start(run);
    }
  }

  /// Returns how a run whose first row has a place is cut into batches of its own; null if it is
  /// not.
  @Nullable BatchCuts cuts(int run) {
    try (Held _ = lock.hold()) {
      return starts.cuts(run);
    }
  }

  /// Records how many rows a run delivers. Every worker on the run may call it.
  ///
  /// @param batches the rows of each batch; null where batches are full, across runs
  /// @param once run if the count was not known before, and before the consumer can see the end
  public void counted(int run, long count, int @Nullable [] batches, Runnable once) {
    BatchCuts cuts = batches == null ? null : new BatchCuts(batches, layout.batchSize());
    PartialBatch last = null;
    try (Held _ = lock.hold()) {
      if (!rows.count(run, count, cuts)) {
        return;
      }
      once.run();
      if (starts.total() >= 0) {
        last = open.shortenLast(rows.rows(), layout.batchSize());
      }
      lock.moved.signalAll();
      lock.ready.signal();
    }
    if (last != null) {
      finish(last);
      announce();
    }
  }

  /// Waits until a part of a row may be written. Meanwhile the worker makes results.
  ///
  /// @return the end of the rows that may be written now, above `position`; or -1 if no more are
  ///   wanted, because the epoch was cancelled, or failed or ended before `position`
  public long admit(int group, long position) {
    long number = position / layout.batchSize();
    while (true) {
      Delivered unmade = null;
      boolean waited = false;
      try (Held _ = lock.hold()) {
        reach.ask();
        while (unmade == null) {
          if (!rows.isWanted(group, position)) {
            return -1;
          }
          MemoryTurn.check();
          long end = writableEnd(number);
          if (number < end) {
            return rows.writableEnd(number, end);
          }
          if (!waited && outgrows(number)) {
            continue;
          }
          unmade = collating.claimForWorker();
          if (unmade == null) {
            waited = true;
            WorkerWait.on(lock.moved, "consumer");
          }
        }
      }
      collating.makeFrom(unmade);
    }
  }

  /// Returns whether a worker that has to wait because others are behind need not.
  private boolean outgrows(long number) {
    boolean isLifted = reach.isLagging(number) && collating.next() == null && reach.lag();
    if (isLifted) {
      lock.moved.signalAll();
    }
    return isLifted;
  }

  /// Returns the first batch from a given one on that may not be written; at most the end of those
  /// for which there is memory, but for the next one to deliver.
  private long writableEnd(long number) {
    long end = reach.end();
    if (number >= end) {
      return end;
    }
    boolean isPaid = number == open.first() || open.filling(number) != null;
    long paid = Math.max(isPaid ? 1 : 0, memory.affordable(end - number));
    return Math.min(end, number + paid);
  }

  boolean isTraced() {
    return isTraced;
  }

  /// Returns whether workers take turns, so that places are not in the order of runs.
  public boolean hasTurns() {
    return starts.hasTurns();
  }

  /// Returns the place in the sequence of batches of a row in the sequence of runs.
  public long place(long row) {
    return starts.place(row);
  }

  /// Returns an admitted batch. The first worker to ask for it creates it.
  public PartialBatch batch(long number) {
    try (Held _ = lock.hold()) {
      PartialBatch begun = open.filling(number);
      if (begun != null) {
        return begun;
      }
    }
    // Outside of the lock: this may wait for memory, whose holders may need the lock.
    SlabPool.Slab slab = memory.take();
    try (Held _ = lock.hold()) {
      PartialBatch other = open.filling(number);
      if (other != null) {
        slab.release();
        return other;
      }
      PartialBatch batch =
          new PartialBatch(number, rows.rowCount(number), groups, slab, memory, layout, isTraced);
      open.begin(batch);
      return batch;
    }
  }

  /// Counts rows `[from, from + count)` of a batch as written by a group. The worker that writes
  /// the last rows finishes the batch.
  public void filled(PartialBatch batch, int group, int from, int count) {
    try (Held _ = lock.hold()) {
      batch.add(group, from, count);
      open.countSideBytes(batch);
      if (!batch.isComplete()) {
        if (rows.failure().isThere()) {
          lock.ready.signal();
        }
        return;
      }
    }
    finish(batch);
  }

  private void finish(PartialBatch filled) {
    Batch batch;
    try {
      filled.unreserve();
      batch = MemoryTurn.force(() -> finisher.finish(filled, consumer.onBatchClose()));
    } catch (Throwable e) {
      String sentence = "Cannot finish batch " + filled.number + ": " + e;
      try (Held _ = lock.hold()) {
        rows.failBatch(filled.number, new IllegalStateException(sentence, e));
        signalFailure();
      }
      return;
    }
    // From now on the memory is the batch's.
    Object value = consumer.collates() ? null : batch;
    try (Held _ = lock.hold()) {
      open.countSideBytes(filled);
      collating.add(new Delivered(batch, batch.rowCount(), value, filled));
    }
  }

  /// Makes results until every batch has one. Called by a worker that has no rows left to decode.
  public void collateRest() {
    collating.makeRest();
  }

  /// Returns whether an admitted batch may still be filled: batches may have grown more than
  /// expected since.
  public boolean hasRoomFor(long number) {
    try (Held _ = lock.hold()) {
      return number == open.first() || !reach.isFull();
    }
  }

  /// Wakes the consumer if its next batch is ready, and makes results while the read-ahead limit
  /// allows. Called once per slice, so that a slice of many small batches wakes the consumer once.
  public void announce() {
    Delivered unmade;
    try (Held _ = lock.hold()) {
      unmade = collating.claimForWorker();
      if (unmade != null) {
        lock.moved.signalAll(); // other workers may help
      } else if (collating.next() != null) {
        lock.ready.signal();
      }
    }
    collating.makeFrom(unmade);
  }

  /// Records that a part of a row cannot be delivered. All batches before the row's are still
  /// delivered. Of several failures, that of the first row counts, and within a row that of the
  /// first group, so that the error does not depend on timing.
  ///
  /// @param run the number of the run that the row is in, or of one before
  /// @param position the row's place in the sequence
  public void fail(int run, int group, long position, Throwable cause) {
    try (Held _ = lock.hold()) {
      rows.fail(new FirstFailure(run, group, position, cause));
      signalFailure();
    }
  }

  private void signalFailure() {
    lock.ready.signal();
    lock.moved.signalAll();
  }

  /// Returns whether all batches were taken; waits until that is known.
  public boolean isAtEnd(ConsumerWait wait) throws TimedOut, InterruptedIOException {
    try (Held _ = lock.hold()) {
      while (!rows.isExpected(open.first()) && !isSettled()) {
        await(wait);
      }
      return isOver();
    }
  }

  private void await(ConsumerWait wait) throws TimedOut, InterruptedIOException {
    try {
      wait.on(lock.ready);
    } catch (InterruptedException e) {
      throw ConsumerWait.interrupted("batch " + open.first() + " of the epoch", e);
    }
  }

  /// Returns whether it is known that all batches were taken. Does not wait.
  public boolean isOverNow() {
    try (Held _ = lock.hold()) {
      return isOver();
    }
  }

  private boolean isOver() {
    return rows.isBehindEnd(open.first());
  }

  /// Returns whether it is known if another batch or failure will come.
  public boolean isEndKnown() {
    try (Held _ = lock.hold()) {
      return rows.isExpected(open.first()) || isSettled();
    }
  }

  /// Returns whether the next batch, failure or end is ready.
  public boolean isReady() {
    try (Held _ = lock.hold()) {
      return isSettled();
    }
  }

  private boolean isSettled() {
    long first = open.first();
    return rows.isCancelled()
        || rows.areBefore(first)
        || collating.next() != null
        || ended
        || rows.isFailureReached(first, groups, open.filling(first));
  }

  /// Waits for the next batch and takes it; null when the epoch was cancelled or is at its end.
  ///
  /// @param mayMake whether it may make the batch's result if no worker has begun it, by users'
  ///   code that may take longer; else it waits for a worker, unless one may be missing
  /// @throws Failure if the next batch cannot be made, or the thread is interrupted
  public @Nullable Delivered take(ConsumerWait wait, boolean mayMake) throws Failure, TimedOut {
    while (true) {
      Delivered next;
      try (Held _ = lock.hold()) {
        while (!isTakeable(mayMake)) {
          await(wait);
        }
        if (rows.isCancelled() || isOver()) {
          return null;
        }
        if (rows.areBefore(open.first()) && !rows.failure().isThere()) {
          break;
        }
        next = collating.next();
        if (next == null) {
          throw new Failure(rows.failure().isThere() ? rows.failure().cause() : lost());
        }
        if (next.value() != null) {
          collating.take(next);
          next.filled().handOver();
          lock.moved.signalAll();
          return next;
        }
        collating.claim(next);
      } catch (InterruptedIOException e) {
        throw new Failure(e);
      }
      collating.make(next);
    }
    return emptyBatch();
  }

  /// Returns whether the consumer can go on without any worker, see [#take].
  public boolean isForConsumer(boolean mayMake) {
    try (Held _ = lock.hold()) {
      return isTakeable(mayMake);
    }
  }

  private boolean isTakeable(boolean mayMake) {
    return isSettled() && (mayMake || !isForWorkers());
  }

  /// Returns whether a worker will make the result of the next batch: the one that filled it does,
  /// at the latest behind its slice.
  private boolean isForWorkers() {
    Delivered next = collating.next();
    return next != null && next.value() == null && !ended && rows.isGood();
  }

  private IllegalStateException lost() {
    return new IllegalStateException(
        "Batch "
            + open.first()
            + " does not come: all workers have ended. This is a defect of Penstock; please report"
            + " it.");
  }

  /// Called without the lock: runs the user's function, and closing a batch there wakes workers.
  private Delivered emptyBatch() {
    PartialBatch empty =
        new PartialBatch(open.first(), 0, groups, memory.take(), memory, layout, isTraced);
    empty.unreserve();
    Batch none = finisher.finish(empty, consumer.onBatchClose());
    Delivered batch = new Delivered(none, 0, null, empty).collated(consumer.collate());
    try (Held _ = lock.hold()) {
      open.skip();
    }
    empty.handOver();
    return batch;
  }

  public BatchQueue counts() {
    try (Held _ = lock.hold()) {
      return open.counts();
    }
  }

  /// Returns the memory that the next batch to be received has and has reserved; -1 if it was not
  /// begun.
  public long bytesOfNext() {
    try (Held _ = lock.hold()) {
      return open.bytesOfFirst();
    }
  }

  /// Wakes all waiting workers, so that they check whether they have to give up their memory.
  public void wake() {
    try (Held _ = lock.hold()) {
      lock.moved.signalAll();
    }
  }

  /// Reports that all workers have ended: missing rows will not come.
  public void workersEnded() {
    try (Held _ = lock.hold()) {
      ended = true;
      lock.ready.signalAll();
    }
  }

  /// Wakes all workers and the consumer, so that they end.
  public void cancel() {
    try (Held _ = lock.hold()) {
      rows.cancel();
      lock.moved.signalAll();
      lock.ready.signalAll();
    }
  }

  /// Frees the batches that are ready. Call it after [#cancel]; workers may still be running.
  public void discardReady() {
    List<Delivered> unwanted;
    try (Held _ = lock.hold()) {
      unwanted = open.removeFinished();
    }
    unwanted.forEach(Delivered::discard); // runs users' code
  }

  /// Gives back the memory of all batches that were not taken. Call it after all workers have
  /// stopped.
  public void discard() {
    discardReady();
    try (Held _ = lock.hold()) {
      open.releaseFilling();
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
