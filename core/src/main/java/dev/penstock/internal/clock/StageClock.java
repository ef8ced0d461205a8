package dev.penstock.internal.clock;

import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/// Divides one worker's time among the stages: it is in exactly one at every moment.
///
/// Code that begins a stage gets the clock of its thread, enters the stage, and enters the previous
/// stage again when done. So stages nest, and the time of each excludes that of nested ones.
/// Threads that are not workers have a clock that does not run.
///
/// **Threads.** [#run] and [#enter] by one thread at a time; [#times] by any.
@SuppressWarnings("EnumOrdinal") // the place in the array
public final class StageClock {
  /* A switch reads the time once and makes some plain stores: enter stages per slice, page or
   * batch, never per row.
   *
   * Readers take no lock: the worker publishes MOVING as the time of its last switch while it
   * changes the rest, and a reader that sees MOVING, or a different time afterwards, reads again.
   * The fences keep the worker's stores between its two stores of SINCE, and the reader's loads
   * between its two loads. The worker itself uses separate fields. */

  /// Work done in a stage.
  public interface Work<T, E extends Exception> {
    T get() throws E;
  }

  private static final long STOPPED = Long.MIN_VALUE;
  private static final long MOVING = Long.MIN_VALUE + 1;
  private static final int LOOKS_MAX = 1000;
  private static final Stage[] STAGES = Stage.values();

  // After the nanoseconds of each stage: the current stage, and the time it began.
  private static final int STAGE = STAGES.length;
  private static final int SINCE = STAGES.length + 1;

  private static final StageClock STILL = new StageClock(() -> 0);
  private static final ThreadLocal<StageClock> OF_THREAD = ThreadLocal.withInitial(() -> STILL);

  private final LongSupplier ticker;
  private final ClockedEpoch epoch;
  private final int worker;
  private final AtomicLongArray shown = new AtomicLongArray(STAGES.length + 2);

  private final LongAdder cached = new LongAdder();

  // Used only by the worker.
  private Stage stage = Stage.BATCH;
  private long since = STOPPED;

  /// @param ticker returns nanoseconds that never decrease, like [System#nanoTime]
  public StageClock(LongSupplier ticker) {
    this(ticker, ClockedEpoch.NONE, -1);
  }

  /// @param worker the worker's number; -1 for the consumer's thread
  StageClock(LongSupplier ticker, ClockedEpoch epoch, int worker) {
    this.ticker = ticker;
    this.epoch = epoch;
    this.worker = worker;
    shown.set(SINCE, STOPPED);
  }

  /// Returns the clock of the calling thread: one that does not run unless it is within [#run].
  public static StageClock current() {
    return OF_THREAD.get();
  }

  /// Does work in a stage of the calling thread's clock.
  public static <T, E extends Exception> T in(Stage stage, Work<T, E> work) throws E {
    StageClock clock = current();
    Stage before = clock.enter(stage);
    try {
      return work.get();
    } finally {
      clock.enter(before);
    }
  }

  /// Runs a worker's part, with this as the clock of the calling thread.
  public void run(Stage first, Runnable work) {
    StageClock outer = OF_THREAD.get(); // of another loader, whose user's code runs this one
    OF_THREAD.set(this);
    move(first, ticker.getAsLong());
    try {
      work.run();
    } finally {
      move(first, STOPPED);
      OF_THREAD.set(outer);
    }
  }

  /// Counts bytes that a worker reads from a cache instead of storage.
  public void addCached(long bytes) {
    if (this != STILL) {
      cached.add(bytes);
    }
  }

  public long cached() {
    return cached.sum();
  }

  /// Switches to a stage; returns the previous one, to switch back to.
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

  ClockedEpoch epoch() {
    return epoch;
  }

  /// Returns the worker's number; -1 for the consumer's thread.
  int worker() {
    return worker;
  }

  /// Returns the time spent in each stage so far, including the current one.
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
      if (unmoved) {
        copy.add(open, from == STOPPED ? 0 : Math.max(0, ticker.getAsLong() - from));
        return copy;
      }
      Thread.onSpinWait();
    }
    return copy; // Preempted in the middle of a switch: without the current stage.
  }
}
