package dev.penstock.internal.memory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which worker of an epoch may take memory, so that all of them together keep to the limit and the
/// next batch always comes.
///
/// The worker that is least far in the sequence is the first. It has all the memory there is: when
/// there is no room for it, the others are asked to give up what they hold, and begin again later.
/// So nobody waits for memory while holding what the first needs, and there is no deadlock to find.
/// The others begin only where there is room for as much as readers were seen to need.
///
/// **Threads.** Safe for any.
public final class MemoryTurns {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryTurns.class);

  /// To learn how much a slice needs, so many times the limit is taken at most.
  private static final long MEASURED_TIMES_MAX = 4;

  /// This part of the limit is for the first alone.
  private static final long LEFT_FOR_FIRST = 8;

  private final MemoryMeter meter;
  private final long batchBytes;
  private final Elsewhere elsewhere;
  private final int workers;
  private final List<MemoryTurn> turns = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger come = new AtomicInteger(); // workers, also those that have ended
  private volatile boolean asked;
  private volatile boolean over;
  private volatile long need;
  private volatile boolean seen;
  private boolean warned;

  /// What else workers wait for and fill.
  public interface Elsewhere {
    /// Waits until signalled.
    ///
    /// @param condition what to wait on
    void await(Condition condition);

    /// Wakes workers that wait elsewhere, so that they call [MemoryTurn#check].
    void wake();

    /// Returns what the next batch to be received has, and what is reserved for it.
    ///
    /// @return bytes, and -1 if it was not begun
    long bytesOfNext();

    /// Returns whether a batch is ready, so that memory comes free when the consumer receives it.
    ///
    /// @return false if the consumer is who asks
    boolean isConsumersTurn();
  }

  /// Makes the turns of one epoch.
  ///
  /// @param meter counts the memory and has the limit
  /// @param batchBytes the memory of one batch
  /// @param need a guess of what one reader needs, until one was seen
  /// @param workers how many workers will come
  /// @param elsewhere what else workers wait for and fill
  public MemoryTurns(
      MemoryMeter meter, long batchBytes, long need, int workers, Elsewhere elsewhere) {
    this.meter = meter;
    this.batchBytes = batchBytes;
    this.need = need;
    this.workers = workers;
    this.elsewhere = elsewhere;
  }

  /// Makes the turn of a worker, which is before all others until it says where it is.
  ///
  /// @param scratch the worker's working memory
  /// @param worker its number, counted from 0
  /// @return the turn
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

  /// Lets all that wait go on and end.
  public void cancel() {
    over = true;
    wake();
  }

  /// Takes what a reader was seen to need. By several at once: one of them may be lost for a while.
  void learn(long bytes) {
    if (bytes > need || (bytes > 0 && !seen)) {
      seen = true;
      need = bytes;
    }
  }

  boolean mustGiveUp(MemoryTurn turn) {
    return over || (asked && !isFirst(turn));
  }

  /// One that has not come yet, because its thread is slow to start, may be before all others.
  boolean isFirst(MemoryTurn turn) {
    if (come.get() < workers) {
      return false;
    }
    MemoryTurn.Place mine = turn.place();
    for (MemoryTurn other : turns) {
      MemoryTurn.Place place = other.place();
      if (other != turn
          && (place.isBefore(mine) || (place.equals(mine) && other.worker() < turn.worker()))) {
        return false;
      }
    }
    return true;
  }

  /// Returns what only the first may take, in case that its rows need more than those before.
  long leftForFirst() {
    return meter.limit() / LEFT_FOR_FIRST;
  }

  /// Returns what is left beside what those at work still need, and the first in any case.
  ///
  /// @param wanted how much is enough: then less than there is may be told
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
      if (turn.isWorking() || isFirst(turn)) {
        spare -= Math.max(0, need - turn.held());
      }
    }
    return spare;
  }

  /// To be called whenever memory is given back; workers do so themselves.
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

  /// Charges memory for which there is no room as yet.
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
        boolean alone = turns.stream().noneMatch(other -> other != turn && other.isWorking());
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

  /// All others have given up what they could.
  private void chargeAlone(MemoryTurn turn, long bytes) {
    // Not what is charged: others may have begun batches further on, as many as there was room for.
    long least = meter.kept() + turn.held() + withBatch(turn, bytes);
    if (least > meter.limit()) {
      if (!turn.isMeasuring()) {
        throw new NoRoomException(true);
      }
      if (least / MEASURED_TIMES_MAX > meter.limit()) {
        throw tooLittle(least);
      }
      turn.tooMuch(least);
    } else if (!warned) {
      // What is in the way are rows in batches further on, let in when less seemed to be needed.
      warned = true;
      LOG.warn(
          "Using {} bytes more than the {} of memory(): these rows need more than those before"
              + " them.",
          bytes - meter.room(),
          meter.limit());
    }
    meter.charge(bytes);
  }

  /// Returns what is wanted and what the next batch takes beside.
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
