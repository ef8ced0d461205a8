package dev.penstock.internal.memory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Decides which worker of an epoch may take memory, so that all of them together stay within the
/// limit and the next batch always comes.
///
/// The worker that is least far in the sequence is the first. It may take all memory: if there is
/// no room for it, the others are asked to give up their memory and start again later. So no worker
/// waits for memory while holding what the first needs, and there is no deadlock. The others start
/// only if there is room for the largest reader seen.
///
/// **Threads.** Safe for any.
public final class MemoryTurns {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryTurns.class);

  /// To measure how much a slice needs, at most this many times the limit is taken.
  private static final long MEASURED_TIMES_MAX = 4;

  /// This fraction (1/n) of the limit is for the first alone.
  private static final long LEFT_FOR_FIRST = 8;

  private final MemoryMeter meter;
  private final long batchBytes;
  private final Elsewhere elsewhere;
  private final int workers;
  private final List<MemoryTurn> turns = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger come = new AtomicInteger(); // workers so far, also those that ended
  private volatile boolean asked;
  private volatile boolean over;
  private volatile long need;
  private volatile boolean seen;
  private boolean warned;

  /// The other waits of workers, and the batches that they fill.
  public interface Elsewhere {
    /// Waits until signalled.
    void await(Condition condition);

    /// Wakes workers that wait elsewhere, so that they call [MemoryTurn#check].
    void wake();

    /// Returns the bytes that the next batch to be received has and has reserved; -1 if it was not
    /// begun.
    long bytesOfNext();

    /// Returns whether a batch is ready, so that memory is freed when the consumer receives it;
    /// false if the consumer itself asks.
    boolean isConsumersTurn();
  }

  /// @param need the memory assumed for a reader until the first one is measured
  public MemoryTurns(
      MemoryMeter meter, long batchBytes, long need, int workers, Elsewhere elsewhere) {
    this.meter = meter;
    this.batchBytes = batchBytes;
    this.need = need;
    this.workers = workers;
    this.elsewhere = elsewhere;
  }

  /// Makes the turn of a worker. It is before all others until it sets its place.
  public MemoryTurn of(WorkerScratch scratch, int worker) {
    MemoryTurn turn = new MemoryTurn(this, scratch, worker);
    turns.add(turn);
    come.incrementAndGet();
    wake();
    return turn;
  }

  void leave(MemoryTurn turn) {
    turns.remove(turn);
    wake();
  }

  /// Wakes all waiting workers, so that they end.
  public void cancel() {
    over = true;
    wake();
  }

  /// Records the memory that a reader was seen to need. Concurrent calls may lose an update for a
  /// while.
  void learn(long bytes) {
    if (bytes > need || (bytes > 0 && !seen)) {
      seen = true;
      need = bytes;
    }
  }

  boolean mustGiveUp(MemoryTurn turn) {
    return over || (asked && !isFirst(turn));
  }

  /// Returns whether a worker is the first. No worker is until all have come: one whose thread has
  /// not started yet may have the earliest rows.
  boolean isFirst(MemoryTurn turn) {
    if (come.get() < workers) {
      return false;
    }
    MemoryTurn.Place mine = turn.place;
    for (MemoryTurn other : turns) {
      MemoryTurn.Place place = other.place;
      if (other != turn
          && (place.isBefore(mine) || (place.equals(mine) && other.worker < turn.worker))) {
        return false;
      }
    }
    return true;
  }

  /// Returns the memory that only the first may take, in case its rows need more than earlier ones.
  long leftForFirst() {
    return meter.limit() / LEFT_FOR_FIRST;
  }

  /// Returns the memory that is free beyond what running workers and the first still need.
  ///
  /// @param wanted how much is enough; if there is more, the result may be too small
  long spare(long wanted) {
    long room = meter.room() - leftForFirst();
    long atLeast = room - need * turns.size();
    return atLeast >= wanted ? atLeast : spareOf(room);
  }

  long spareForBatches(long wanted) {
    return spare(wanted + need) - need;
  }

  private long spareOf(long room) {
    long spare = room;
    for (MemoryTurn turn : turns) {
      if (turn.working || isFirst(turn)) {
        spare -= Math.max(0, need - turn.held());
      }
    }
    return spare;
  }

  /// Wakes waiting workers. Call it whenever memory is given back; workers do so themselves.
  public void wake() {
    if (waiting.get() > 0) {
      lock.lock();
      try {
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  boolean awaitRoom(MemoryTurn turn) {
    if (!over && (isFirst(turn) || fits(turn))) {
      return true;
    }
    lock.lock();
    waiting.incrementAndGet();
    try {
      while (!over && !isFirst(turn) && !fits(turn)) {
        elsewhere.await(changed);
      }
      return !over;
    } finally {
      waiting.decrementAndGet();
      lock.unlock();
    }
  }

  private boolean fits(MemoryTurn turn) {
    long wanted = Math.max(0, need - turn.held());
    return !asked && spare(wanted) >= wanted;
  }

  void chargeWhenFirst(MemoryTurn turn, long bytes) {
    if (!isFirst(turn)) {
      learn(turn.held() + bytes);
      throw new NoRoomException(false);
    }
    asked = true;
    elsewhere.wake();
    lock.lock();
    waiting.incrementAndGet();
    try {
      while (!over) {
        boolean alone = turns.stream().noneMatch(other -> other != turn && other.working);
        meter.freeIdle();
        if (meter.tryCharge(bytes, 0)) {
          return;
        }
        if (alone && !elsewhere.isConsumersTurn()) {
          chargeAlone(turn, bytes);
          return;
        }
        elsewhere.await(changed);
      }
      throw new NoRoomException(false);
    } finally {
      waiting.decrementAndGet();
      asked = false;
      changed.signalAll();
      lock.unlock();
    }
  }

  /// Charges memory beyond the limit, after all others have given up what they could.
  private void chargeAlone(MemoryTurn turn, long bytes) {
    // Not the charged bytes: others may have begun further batches when there was room.
    long least = meter.kept() + turn.held() + withBatch(turn, bytes);
    if (least > meter.limit()) {
      if (!turn.measuring) {
        throw new NoRoomException(true);
      }
      if (least / MEASURED_TIMES_MAX > meter.limit()) {
        throw tooLittle(least);
      }
      turn.tooMuch(least);
    } else if (!warned) {
      // Rows in later batches are in the way, admitted when less seemed to be needed.
      warned = true;
      LOG.warn(
          "Using {} bytes more than the {} of memory(): these rows need more than those before"
              + " them.",
          bytes - meter.room(),
          meter.limit());
    }
    meter.charge(bytes);
  }

  /// Returns the wanted bytes plus those of the next batch.
  private long withBatch(MemoryTurn turn, long bytes) {
    long begun = elsewhere.bytesOfNext();
    if (begun >= 0) {
      return begun + bytes;
    }
    return turn.beginsBatch() ? Math.max(batchBytes, bytes) : batchBytes + bytes;
  }

  TooLittleMemoryException tooLittle(long least) {
    return new TooLittleMemoryException(meter.limit(), least);
  }
}
