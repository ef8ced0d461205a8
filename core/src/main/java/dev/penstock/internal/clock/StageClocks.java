package dev.penstock.internal.clock;

import dev.penstock.stats.WorkerStats;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/// The clocks of all workers of an epoch.
///
/// **Threads.** Like [StageClock]: each clock is one worker's, and any thread may read it.
public final class StageClocks {
  private final boolean inline;
  private final ClockedEpoch epoch;
  private final List<StageClock> clocks = new ArrayList<>();
  private volatile int decoding; // how many workers are not parked

  /// Makes clocks that do not run yet.
  ///
  /// @param workers how many workers there are; 0 if the consumer's thread does the work
  /// @param ticker returns nanoseconds that never decrease, like [System#nanoTime]
  public StageClocks(int workers, LongSupplier ticker) {
    this(workers, ticker, ClockedEpoch.NONE);
  }

  /// Makes clocks that do not run yet.
  ///
  /// @param workers how many workers there are; 0 if the consumer's thread does the work
  /// @param ticker returns nanoseconds that never decrease, like [System#nanoTime]
  /// @param epoch the epoch whose time they measure
  public StageClocks(int workers, LongSupplier ticker, ClockedEpoch epoch) {
    this.inline = workers == 0;
    this.epoch = epoch;
    this.decoding = workers;
    for (int i = 0; i < Math.max(1, workers); i++) {
      clocks.add(new StageClock(ticker, epoch, inline ? -1 : i));
    }
  }

  /// Returns the epoch whose time is measured.
  ClockedEpoch epoch() {
    return epoch;
  }

  /// Returns whether the consumer's thread does the work.
  ///
  /// @return true without workers
  public boolean isInline() {
    return inline;
  }

  /// Records how many workers decode; the others are parked.
  ///
  /// @param count how many, those with the lowest numbers
  public void decoding(int count) {
    decoding = count;
  }

  /// Returns the clock of a worker.
  ///
  /// @param worker its number; 0 for the consumer's thread
  public StageClock of(int worker) {
    return clocks.get(worker);
  }

  /// Returns how each worker spent its time.
  public List<WorkerStats> stats() {
    List<WorkerStats> all = new ArrayList<>();
    for (int i = 0; i < clocks.size(); i++) {
      boolean isParked = !inline && i >= decoding;
      all.add(new WorkerStats(inline ? -1 : i, isParked, clocks.get(i).times()));
    }
    return List.copyOf(all);
  }

  /// Returns how much all workers read from a cache.
  ///
  /// @return bytes
  public long cached() {
    return clocks.stream().mapToLong(StageClock::cached).sum();
  }

  /// Returns the sum over all workers.
  StageNanos sum() {
    StageNanos sum = new StageNanos();
    clocks.forEach(clock -> sum.add(clock.nanos()));
    return sum;
  }
}
