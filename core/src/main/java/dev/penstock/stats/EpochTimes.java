package dev.penstock.stats;

import java.util.List;

/// Where the time of an epoch went so far, seen at one moment.
///
/// @param nanos how long the epoch has run, until the consumer came to its end, in nanoseconds
/// @param waitedFor what the consumer waited for: its waits for batches, divided in proportion to
///   what the workers did meanwhile; waits in which nobody worked are [Stage#WAIT]
/// @param waits how long it waited for each batch
/// @param workers where each worker's time went, by the workers' numbers; without workers the
///   consumer's thread alone
public record EpochTimes(
    long nanos, StageTimes waitedFor, WaitStats waits, List<WorkerStats> workers) {
  /// No time at all.
  public static final EpochTimes NONE =
      new EpochTimes(0, StageTimes.NONE, WaitStats.NONE, List.of());

  /// Copies the list.
  public EpochTimes {
    workers = List.copyOf(workers);
  }

  /// {@return how many nanoseconds the consumer waited for batches; without workers how long it
  /// spent on loading}
  public long waitNanos() {
    return waitedFor.totalNanos();
  }

  /// {@return where the time of all workers went, the sum over them}
  public StageTimes ofWorkers() {
    return workers.stream().map(WorkerStats::times).reduce(StageTimes.NONE, StageTimes::plus);
  }
}
