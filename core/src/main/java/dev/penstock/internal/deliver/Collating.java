package dev.penstock.internal.deliver;

import dev.penstock.internal.deliver.BriefLock.Held;
import dev.penstock.internal.workers.WorkerFailure;
import dev.penstock.internal.workers.WorkerWait;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The results that the user's function makes of finished batches, until the consumer takes them.
///
/// Whoever claims a batch makes its result: a worker behind its slice, or while it has to wait; or
/// the consumer, if nobody has begun that of the batch it takes. Without a function, a batch is its
/// own result.
///
/// **Threads.** Under the [DeliveryQueue]'s lock, but for [#make], [#makeFrom] and [#makeRest],
/// which run users' code, so the lock must not be held.
final class Collating {
  private final BriefLock lock;
  private final BatchConsumer consumer;
  private final WantedRows rows;
  private final OpenBatches open;
  private final int resultsMax; // made or begun, and not taken

  /// The batches that are ready, as they came; null where they are taken in the order of the
  /// sequence.
  private final @Nullable Deque<Delivered> arrived;

  private final NavigableMap<Long, Delivered> unclaimed = new TreeMap<>(); // by number
  private long claims; // ever
  private long taken;

  Collating(
      BriefLock lock,
      BatchConsumer consumer,
      WantedRows rows,
      OpenBatches open,
      int resultsMax,
      boolean inOrder) {
    this.lock = lock;
    this.consumer = consumer;
    this.rows = rows;
    this.open = open;
    this.resultsMax = resultsMax;
    this.arrived = inOrder ? null : new ArrayDeque<>();
  }

  void add(Delivered batch) {
    open.finish(batch);
    if (consumer.collates()) {
      unclaimed.put(batch.number(), batch);
    } else {
      arrive(batch);
    }
  }

  private void arrive(Delivered batch) {
    if (arrived != null) {
      arrived.add(batch);
    }
  }

  /// Returns the batch to take now, with or without its result; null if none is ready.
  @Nullable Delivered next() {
    if (arrived == null) {
      return open.finished(open.first());
    }
    Delivered first = arrived.peek();
    return first == null ? firstUnclaimed() : first;
  }

  private @Nullable Delivered firstUnclaimed() {
    if (unclaimed.isEmpty()) {
      return null;
    }
    Delivered first = unclaimed.firstEntry().getValue();
    return rows.isBeforeFailure(first.number()) ? first : null;
  }

  void take(Delivered next) {
    if (arrived != null) {
      arrived.remove();
    }
    taken++;
    open.take(next);
  }

  /// Claims the first batch whose result a worker may make now; returns null if there is none.
  @Nullable Delivered claimForWorker() {
    Delivered first = rows.isCancelled() ? null : firstUnclaimed();
    if (first == null || !mayMake(first.number())) {
      return null;
    }
    claim(first);
    return first;
  }

  /// Returns whether a worker may make the result of a batch now, or is too far ahead. In order,
  /// that of the very next batch may always be made.
  private boolean mayMake(long number) {
    return arrived == null ? number < open.first() + resultsMax : claims - taken < resultsMax;
  }

  void claim(Delivered batch) {
    unclaimed.remove(batch.number());
    claims++;
    open.make(batch);
  }

  void make(Delivered batch) {
    Delivered made = null;
    WorkerFailure failed = null;
    try {
      made = batch.collated(consumer.collate());
    } catch (WorkerFailure e) {
      failed = e;
    }
    try (Held _ = lock.hold()) {
      if (made != null) {
        open.finish(made);
        arrive(made);
      } else {
        open.remove(batch);
        rows.failBatch(batch.number(), failed);
        lock.moved.signalAll();
      }
      if (failed != null || next() != null) {
        lock.ready.signal();
      }
    }
  }

  /// Makes the result of a claimed batch, and of more while workers may make some.
  void makeFrom(@Nullable Delivered claimed) {
    Delivered batch = claimed;
    while (batch != null) {
      make(batch);
      try (Held _ = lock.hold()) {
        batch = claimForWorker();
      }
    }
  }

  /// Makes results until every batch of the epoch has one.
  void makeRest() {
    Delivered batch = awaitClaim();
    while (batch != null) {
      makeFrom(batch);
      batch = awaitClaim();
    }
  }

  private @Nullable Delivered awaitClaim() {
    try (Held _ = lock.hold()) {
      while (consumer.collates() && rows.isWantedBehind(claims)) {
        Delivered batch = claimForWorker();
        if (batch != null) {
          return batch;
        }
        WorkerWait.on(lock.moved, "consumer");
      }
      return null;
    }
  }
}
