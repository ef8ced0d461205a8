package dev.penstock.internal.memory;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One worker's right to memory: found by its thread, like its clock.
///
/// **Threads.** Used by its worker; [MemoryTurns] reads its place and what it holds from any.
public final class MemoryTurn {
  private static final ThreadLocal<@Nullable MemoryTurn> OF_THREAD = new ThreadLocal<>();

  private final MemoryTurns turns;
  private final WorkerScratch scratch;
  private final int worker;

  // Written by the worker, read by all.
  private volatile Place place = Place.FIRST;
  private volatile boolean working;
  private boolean forced;
  private boolean beginsBatch;
  private boolean measuring;
  private long tooMuch; // what was needed, where it was more than there may be

  /// Where a worker is in the sequence.
  ///
  /// @param run the number of its run
  /// @param row how many rows of the run it has delivered
  /// @param group the part of the row
  record Place(int run, long row, int group) {
    static final Place FIRST = new Place(-1, 0, 0);
    static final Place LAST = new Place(Integer.MAX_VALUE, 0, 0);

    boolean isBefore(Place other) {
      if (run != other.run) {
        return run < other.run;
      }
      return row != other.row ? row < other.row : group < other.group;
    }
  }

  MemoryTurn(MemoryTurns turns, WorkerScratch scratch, int worker) {
    this.turns = turns;
    this.scratch = scratch;
    this.worker = worker;
  }

  static @Nullable MemoryTurn current() {
    return OF_THREAD.get();
  }

  /// Runs a worker's part with this as the turn of the calling thread.
  ///
  /// @param work what to run
  public void run(Runnable work) {
    MemoryTurn outer = OF_THREAD.get(); // of a loader whose user's code uses this one's
    OF_THREAD.set(this);
    try {
      work.run();
    } finally {
      OF_THREAD.set(outer);
    }
  }

  /// Runs something that cannot be begun again: it has its memory in any case. What it takes was to
  /// be reserved before.
  ///
  /// @param <T> what it gives
  /// @param work what to run
  /// @return what it gave
  public static <T> T force(Supplier<T> work) {
    MemoryTurn turn = OF_THREAD.get();
    if (turn == null || turn.forced) {
      return work.get();
    }
    turn.forced = true;
    try {
      return work.get();
    } finally {
      turn.forced = false;
    }
  }

  /// Runs what takes the memory that every batch has.
  static <T> T beginBatch(Supplier<T> taking) {
    MemoryTurn turn = OF_THREAD.get();
    if (turn == null) {
      return taking.get();
    }
    turn.beginsBatch = true;
    try {
      return taking.get();
    } finally {
      turn.beginsBatch = false;
    }
  }

  /// Says where the worker is. Of all workers the one that is least far always has its memory.
  ///
  /// @param run the number of its run, which never falls
  /// @param row how many rows of the run it has delivered, which never fall within a run
  /// @param group the part of the row
  public void at(int run, long row, int group) {
    place = new Place(run, row, group);
    turns.learn(scratch.takenBytesPeak());
    turns.wake();
  }

  /// Says that the worker has come to its end.
  public void end() {
    working = false;
    place = Place.LAST;
    turns.leave(this);
  }

  /// Waits until the worker may begin to read: until it is the first, or there is room for what
  /// readers need.
  ///
  /// @return false if nothing is wanted any more
  public boolean begin() {
    boolean wanted = turns.awaitRoom(this);
    working = wanted;
    return wanted;
  }

  /// Says that the worker holds nothing any more, but idle memory.
  public void giveUp() {
    tooMuch = 0;
    working = false;
    turns.wake();
  }

  /// To be called where the worker can give up what it holds, and where it waits for others.
  ///
  /// @throws NoRoomException if a worker before this one needs the memory, or nothing is wanted any
  ///   more
  public static void check() {
    MemoryTurn turn = OF_THREAD.get();
    if (turn != null && turn.working && turn.turns.mustGiveUp(turn)) {
      throw new NoRoomException(false);
    }
  }

  /// Says whether the worker cannot do with less. It has its memory in any case then, so that
  /// [#requireEnough] can tell how much it is.
  ///
  /// @param least whether it has begun anew and reads as few rows as can be
  public void measure(boolean least) {
    measuring = least;
  }

  /// Checks that no more was taken than there may be. What rows need is seen only when they are
  /// decoded: so too much is noticed when it is needed, and reported when all of it is known.
  ///
  /// @throws TooLittleMemoryException if it was
  public void requireEnough() {
    long least = tooMuch;
    tooMuch = 0;
    if (least > 0) {
      throw turns.tooLittle(least);
    }
  }

  /// Returns how much a worker may take for batches further on, beside what those at work still
  /// need, and as much again in case that rows to come need more.
  ///
  /// @param wanted how much is enough
  /// @return bytes, at most `wanted`; may be negative
  public static long spare(long wanted) {
    MemoryTurn turn = OF_THREAD.get();
    return turn == null ? wanted : Math.min(wanted, turn.turns.spareForBatches(wanted));
  }

  void charge(MemoryMeter meter, long bytes) {
    if (forced) {
      meter.charge(bytes);
      return;
    }
    long left = turns.isFirst(this) ? 0 : turns.leftForFirst();
    if (!meter.tryCharge(bytes, left)) {
      meter.freeIdle();
      if (!meter.tryCharge(bytes, left)) {
        turns.chargeWhenFirst(this, bytes);
      }
    }
  }

  Place place() {
    return place;
  }

  int worker() {
    return worker;
  }

  boolean isWorking() {
    return working;
  }

  long held() {
    return scratch.takenBytes();
  }

  boolean isMeasuring() {
    return measuring;
  }

  boolean beginsBatch() {
    return beginsBatch;
  }

  void tooMuch(long bytes) {
    tooMuch = Math.max(tooMuch, bytes);
  }
}
