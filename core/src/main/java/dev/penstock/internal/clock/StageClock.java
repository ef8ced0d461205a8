package dev.penstock.internal.clock;

import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/// Divides one worker's time among the stages: it is in one at every moment.
///
/// Code that begins a stage asks for the clock of its thread, enters the stage, and enters the one
/// before when it is done. So stages nest, and each has its own time without that of those within.
/// Threads that are no workers have a clock that stands still.
///
/// **Threads.** [#run] and [#enter] by one thread at a time; [#times] by any.
@SuppressWarnings("EnumOrdinal") // the place in the array
public final class StageClock {
  /* A switch takes one look at the time and some plain stores: enter stages by the slice, page or
   * batch, never by the row.
   *
   * Readers take no lock: the worker publishes MOVING as the time of its last switch while it
   * changes the rest, and a reader that sees MOVING, or another time afterwards, looks again. The
   * fences keep the worker's stores between its two of SINCE, and the reader's loads between its
   * two. What the worker itself needs it has in fields of its own. */

  /// What is done in a stage.
  ///
  /// @param <T> what it gives
  /// @param <E> what it may throw
  public interface Work<T, E extends Exception> {
    /// Does it.
    ///
    /// @return what it gives
    /// @throws E if it fails
    T get() throws E;
  }

  private static final long STOPPED = Long.MIN_VALUE;
  private static final long MOVING = Long.MIN_VALUE + 1;
  private static final int LOOKS_MAX = 1000;
  private static final Stage[] STAGES = Stage.values();

  // Behind the nanoseconds of each stage: the current one, and the time of its beginning.
  private static final int STAGE = STAGES.length;
  private static final int SINCE = STAGES.length + 1;

  private static final StageClock STILL = new StageClock(() -> 0);
  private static final ThreadLocal<StageClock> OF_THREAD = ThreadLocal.withInitial(() -> STILL);

  private final LongSupplier ticker;
  private final AtomicLongArray shown = new AtomicLongArray(STAGES.length + 2);

  // The worker's.
  private Stage stage = Stage.BATCH;
  private long since = STOPPED;

  /// Makes a clock that stands still.
  ///
  /// @param ticker gives nanoseconds that never go back, as [System#nanoTime]
  public StageClock(LongSupplier ticker) {
    this.ticker = ticker;
    shown.set(SINCE, STOPPED);
  }

  /// Returns the clock of the calling thread.
  ///
  /// @return one that stands still, unless the thread is within [#run]
  public static StageClock current() {
    return OF_THREAD.get();
  }

  /// Does something in a stage of the calling thread's clock.
  ///
  /// @param <T> what the work gives
  /// @param <E> what it may throw
  /// @param stage the stage
  /// @param work what to do
  /// @return what the work gives
  /// @throws E what the work throws
  public static <T, E extends Exception> T in(Stage stage, Work<T, E> work) throws E {
    StageClock clock = current();
    Stage before = clock.enter(stage);
    try {
      return work.get();
    } finally {
      clock.enter(before);
    }
  }

  /// Runs a worker's part with this as the clock of the calling thread.
  ///
  /// @param first the stage to begin with
  /// @param work what to run
  public void run(Stage first, Runnable work) {
    StageClock outer = OF_THREAD.get(); // of a loader whose user's code uses this one's
    OF_THREAD.set(this);
    move(first, ticker.getAsLong());
    try {
      work.run();
    } finally {
      move(first, STOPPED);
      OF_THREAD.set(outer);
    }
  }

  /// Goes over to a stage.
  ///
  /// @param next the stage
  /// @return the one before, to go back to
  public Stage enter(Stage next) {
    Stage before = stage;
    if (next != before && since != STOPPED) {
      move(next, ticker.getAsLong());
    }
    return before;
  }

  private void move(Stage next, long now) {
    int before = stage.ordinal();
    long passed = since == STOPPED ? 0 : (now == STOPPED ? ticker.getAsLong() : now) - since;
    stage = next;
    since = now;
    shown.setOpaque(SINCE, MOVING);
    VarHandle.storeStoreFence();
    shown.setOpaque(before, shown.getPlain(before) + passed);
    shown.setOpaque(STAGE, next.ordinal());
    shown.setRelease(SINCE, now);
  }

  /// Returns where the time went so far, the current stage included.
  ///
  /// @return a snapshot
  public StageTimes times() {
    return nanos().times();
  }

  StageNanos nanos() {
    StageNanos copy = new StageNanos();
    for (int look = 0; look < LOOKS_MAX; look++) {
      long from = shown.getAcquire(SINCE);
      Stage open = STAGES[(int) shown.getOpaque(STAGE)];
      for (Stage each : STAGES) {
        copy.set(each, shown.getOpaque(each.ordinal()));
      }
      VarHandle.loadLoadFence();
      boolean unmoved = from != MOVING && shown.getOpaque(SINCE) == from;
      if (unmoved && from == STOPPED) {
        return copy;
      }
      if (unmoved) {
        copy.add(open, Math.max(0, ticker.getAsLong() - from));
        return copy;
      }
      Thread.onSpinWait();
    }
    return copy; // The worker lost its processor in mid-move: without the current stage.
  }
}
