package dev.penstock;

import dev.penstock.stats.BatchQueue;
import dev.penstock.stats.StageTimes;
import dev.penstock.stats.WorkerStats;
import java.util.List;

/// What a loader has done in one epoch so far, seen at one moment.
///
/// @param epoch the epoch, counted from 0
/// @param rows rows the consumer received
/// @param batches batches the consumer received
/// @param skipped rows that the filter left out
/// @param bytesRead bytes read from storage in this epoch
/// @param waitNanos how long the consumer waited for batches, in nanoseconds
/// @param memoryBytes the off-heap memory that the loader holds now, open batches included
/// @param peakMemoryBytes the most off-heap memory the loader has held at once since it was made
/// @param nanos how long the epoch has run, until the consumer came to its end, in nanoseconds
/// @param waitedFor what the consumer waited for: `waitNanos`, divided in proportion to what the
///   workers did meanwhile; waits in which nobody worked are [dev.penstock.stats.Stage#WAIT]
/// @param workers where each worker's time went, by the workers' numbers; without workers the
///   consumer's thread alone
/// @param queue batches that are ready and being filled
public record LoaderStats(
    long epoch,
    long rows,
    long batches,
    SkippedRows skipped,
    long bytesRead,
    long waitNanos,
    long memoryBytes,
    long peakMemoryBytes,
    long nanos,
    StageTimes waitedFor,
    List<WorkerStats> workers,
    BatchQueue queue) {
  /// Copies the list.
  public LoaderStats {
    workers = List.copyOf(workers);
  }

  /// Returns what a loader has done that has not begun.
  static LoaderStats none(long epoch, long memoryBytes, long peakMemoryBytes) {
    return new LoaderStats(
        epoch,
        0,
        0,
        SkippedRows.NONE,
        0,
        0,
        memoryBytes,
        peakMemoryBytes,
        0,
        StageTimes.NONE,
        List.of(),
        BatchQueue.NONE);
  }

  /// Returns where the time of all workers went.
  ///
  /// @return the sum over the workers
  public StageTimes times() {
    return workers.stream().map(WorkerStats::times).reduce(StageTimes.NONE, StageTimes::plus);
  }

  /// Says in one sentence what an epoch's speed depends on most. The first rule that fits decides:
  ///
  /// 1. The consumer waited less than 10 % of the time: it is the consumer. A faster loader would
  ///    gain no more than that.
  /// 2. There are no workers: it is loading on the consumer's thread, and the stages that took most
  ///    of it are named.
  /// 3. The workers waited more than half of their time. If one of them waited less than a quarter
  ///    of its own, the work is shared unevenly; else both sides wait by turns.
  /// 4. It is what the workers spent most of their time on: reading (`OPEN` and `FETCH`), decoding
  ///    (`DECOMPRESS` and `DECODE`), or one of the other stages.
  ///
  /// @return the sentence, for people to read: its words may change
  public String bottleneck() {
    return Bottleneck.sentence(this);
  }
}
