package dev.penstock.internal.clock;

import dev.penstock.stats.EpochTimes;
import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import dev.penstock.stats.WorkerStats;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Measures how long an epoch runs, how long its consumer waits, and for what.
///
/// A wait is divided among the stages that the workers were in meanwhile, in proportion, excluding
/// their own waits.
///
/// **Threads.** [#begin], [#end(Wait)] and [#received] by the consumer; the others by any.
public final class ConsumerClock {
  /// A wait in progress.
  public static final class Wait {
    private final long start;
    private final @Nullable StageNanos before; // the workers' times at its start; null without
    private final FlightEvents.@Nullable Wait event;

    private Wait(long start, @Nullable StageNanos before, FlightEvents.@Nullable Wait event) {
      this.start = start;
      this.before = before;
      this.event = event;
    }
  }

  private static final Stage[] STAGES = Stage.values();

  private final StageClocks workers;
  private final LongSupplier ticker;
  private final long start;
  private final AtomicLong end = new AtomicLong(Long.MIN_VALUE); // MIN_VALUE while the epoch runs
  private final StageNanos waitedFor = new StageNanos(); // guarded by itself, as those below
  private final WaitHistogram waits = new WaitHistogram();
  private long waitedForNext; // since the last batch was received

  /// @param ticker returns nanoseconds that never decrease, like [System#nanoTime]
  public ConsumerClock(StageClocks workers, LongSupplier ticker) {
    this.workers = workers;
    this.ticker = ticker;
    this.start = ticker.getAsLong();
  }

  /// Begins a wait for a batch.
  public Wait begin() {
    return workers.isInline() // then the thread's own clock says what it waits for
        ? new Wait(ticker.getAsLong(), null, null)
        : new Wait(
            ticker.getAsLong(),
            workers.sum(),
            FlightEvents.beginWait(workers.epoch(), -1, "batch"));
  }

  public void end(Wait wait) {
    long nanos = ticker.getAsLong() - wait.start;
    if (wait.event != null) {
      wait.event.over();
    }
    synchronized (waitedFor) {
      waitedForNext += nanos;
    }
    if (wait.before != null) {
      divide(nanos, wait.before, workers.sum());
    }
  }

  private void divide(long nanos, StageNanos before, StageNanos after) {
    long total = 0;
    for (Stage stage : STAGES) {
      total += worked(stage, before, after);
    }
    synchronized (waitedFor) {
      if (total == 0) { // no worker was busy: threads were being woken
        waitedFor.add(Stage.WAIT, nanos);
        return;
      }
      long spent = 0;
      long given = 0;
      for (Stage stage : STAGES) {
        spent += worked(stage, before, after);
        long upTo = (long) (nanos * ((double) spent / total)); // in the end the whole wait
        waitedFor.add(stage, upTo - given);
        given = upTo;
      }
    }
  }

  private static long worked(Stage stage, StageNanos before, StageNanos after) {
    return stage == Stage.WAIT ? 0 : Math.max(0, after.get(stage) - before.get(stage));
  }

  public void received() {
    synchronized (waitedFor) {
      waits.add(waitedForNext);
      waitedForNext = 0;
    }
  }

  public void end() {
    end.compareAndSet(Long.MIN_VALUE, ticker.getAsLong());
  }

  public long nanos() {
    long over = end.get();
    return (over == Long.MIN_VALUE ? ticker.getAsLong() : over) - start;
  }

  /// Returns where the time went so far. Waits count when they are over, and in
  /// [EpochTimes#waits()] with their batch. Without workers the consumer waits as long as it works.
  public EpochTimes times() {
    long nanos = nanos();
    List<WorkerStats> stats = workers.stats();
    synchronized (waitedFor) {
      StageTimes times = workers.isInline() ? stats.getFirst().times() : waitedFor.times();
      return new EpochTimes(nanos, times, waits.stats(), stats);
    }
  }
}
