package dev.penstock.internal.memory;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One worker's right to memory, found through its thread, like its clock.
///
/// **Threads.** Used by its worker; [MemoryTurns] reads its place and its memory from any.
public final class MemoryTurn {
  private static final ThreadLocal<@Nullable MemoryTurn> OF_THREAD = new ThreadLocal<>();

  private final MemoryTurns turns;
  private final WorkerScratch scratch;
  final int worker;

  // Written by the worker, read by all.
  volatile Place place = Place.FIRST;
  volatile boolean working;
  private Mode mode = Mode.READING;
  boolean measuring;
  private long tooMuch; // the memory needed, if it was more than the limit

  /// What a worker takes memory for.
  private enum Mode {
    /// What can be read again later, so it may have to be given up.
    READING,
    /// The fixed slab of a batch.
    BEGINNING_BATCH,
    /// Work that cannot be restarted: it gets its memory in any case.
    FORCED
  }

  /// @param row how many rows of the run it has delivered
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

  public void run(Runnable work) {
    MemoryTurn outer = OF_THREAD.get(); // of another loader, whose user's code runs this one
    OF_THREAD.set(this);
    try {
      work.run();
    } finally {
      OF_THREAD.set(outer);
    }
  }

  /// Runs work that cannot be restarted. Its memory should be reserved before.
  public static <T> T force(Supplier<T> work) {
    return in(Mode.FORCED, work);
  }

  static <T> T beginBatch(Supplier<T> taking) {
    return in(Mode.BEGINNING_BATCH, taking);
  }

  private static <T> T in(Mode mode, Supplier<T> work) {
    MemoryTurn turn = OF_THREAD.get();
    if (turn == null || turn.mode == Mode.FORCED) {
      return work.get();
    }
    Mode outer = turn.mode;
    turn.mode = mode;
    try {
      return work.get();
    } finally {
      turn.mode = outer;
    }
  }

  /// Sets the worker's place. The worker that is least far always gets its memory.
  ///
  /// @param run the number of its run, which only decreases after [#stepAside]
  /// @param row how many rows of the run it has delivered; never decreases within a run
  public void at(int run, long row, int group) {
    place = new Place(run, row, group);
    turns.learn(scratch.takenBytesPeak());
    turns.wake();
  }

  /// Reports that the worker has no rows for now: all others are before it.
  public void stepAside() {
    place = Place.LAST;
    turns.wake();
  }

  /// Reports that the worker gets rows again: it is before all others until it sets its place.
  public void stepBack() {
    place = Place.FIRST;
  }

  public void end() {
    working = false;
    place = Place.LAST;
    turns.leave(this);
  }

  /// Waits until the worker may begin to read: until it is the first, or there is room for a
  /// reader. Returns false if nothing more is wanted.
  public boolean begin() {
    boolean wanted = turns.awaitRoom(this);
    working = wanted;
    return wanted;
  }

  /// Reports that the worker has given up all memory except idle memory.
  public void giveUp() {
    tooMuch = 0;
    working = false;
    turns.wake();
  }

  /// Checks whether the worker has to give up its memory. Call it where the worker can do so, and
  /// where it waits for others.
  ///
  /// @throws NoRoomException if the first worker needs the memory, or nothing more is wanted
  public static void check() {
    MemoryTurn turn = OF_THREAD.get();
    if (turn != null && turn.working && turn.turns.mustGiveUp(turn)) {
      throw new NoRoomException(false);
    }
  }

  /// Sets whether the worker cannot do with less memory. If so, it gets memory beyond the limit, so
  /// that [#requireEnough] can report how much it needs.
  ///
  /// @param least whether it has restarted and reads as few rows as possible
  public void measure(boolean least) {
    measuring = least;
  }

  /// Checks that the worker did not exceed the limit. The need of rows shows only during decoding,
  /// so an excess is recorded when it occurs and reported here, once all of it is known.
  ///
  /// @throws TooLittleMemoryException if it did
  public void requireEnough() {
    long least = tooMuch;
    tooMuch = 0;
    if (least > 0) {
      throw turns.tooLittle(least);
    }
  }

  /// Returns how many bytes a worker may take for batches further on, at most `wanted`; may be
  /// negative. Leaves the memory that running workers still need, and that of one more reader in
  /// case later rows need more.
  static long spare(long wanted) {
    MemoryTurn turn = OF_THREAD.get();
    return turn == null ? wanted : Math.min(wanted, turn.turns.spareForBatches(wanted));
  }

  void charge(MemoryMeter meter, long bytes) {
    if (mode == Mode.FORCED) {
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

  long held() {
    return scratch.takenBytes();
  }

  boolean beginsBatch() {
    return mode == Mode.BEGINNING_BATCH;
  }

  void tooMuch(long bytes) {
    tooMuch = Math.max(tooMuch, bytes);
  }
}
