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

  public StageClocks(int workers, LongSupplier ticker) {
    this(workers, ticker, ClockedEpoch.NONE);
  }

  /// @param workers how many workers there are; 0 if the consumer's thread does the work
  /// @param ticker returns nanoseconds that never decrease, like [System#nanoTime]
  public StageClocks(int workers, LongSupplier ticker, ClockedEpoch epoch) {
    this.inline = workers == 0;
    this.epoch = epoch;
    this.decoding = workers;
    for (int i = 0; i < Math.max(1, workers); i++) {
      clocks.add(new StageClock(ticker, epoch, inline ? -1 : i));
    }
  }

  ClockedEpoch epoch() {
    return epoch;
  }

  public boolean isInline() {
    return inline;
  }

  /// Records how many workers decode, those with the lowest numbers; the others are parked.
  public void decoding(int count) {
    decoding = count;
  }

  /// Returns the clock of a worker; 0 is the consumer's thread.
  public StageClock of(int worker) {
    return clocks.get(worker);
  }

  public List<WorkerStats> stats() {
    List<WorkerStats> all = new ArrayList<>();
    for (int i = 0; i < clocks.size(); i++) {
      boolean isParked = !inline && i >= decoding;
      all.add(new WorkerStats(inline ? -1 : i, isParked, clocks.get(i).times()));
    }
    return List.copyOf(all);
  }

  /// Returns the bytes that all workers read from a cache.
  public long cached() {
    return clocks.stream().mapToLong(StageClock::cached).sum();
  }

  StageNanos sum() {
    StageNanos sum = new StageNanos();
    clocks.forEach(clock -> sum.add(clock.nanos()));
    return sum;
  }
}
