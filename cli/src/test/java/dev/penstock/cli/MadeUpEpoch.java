package dev.penstock.cli;

import dev.penstock.stats.BatchQueue;
import dev.penstock.stats.EpochRecord;
import dev.penstock.stats.EpochTimes;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.MemoryStats;
import dev.penstock.stats.PaddingStats;
import dev.penstock.stats.ReadStats;
import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import dev.penstock.stats.Timeline;
import dev.penstock.stats.WaitStats;
import dev.penstock.stats.WorkerStats;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// Epochs of a second that nobody ran.
final class MadeUpEpoch {
  private static final long NANOS = 1_000_000_000;

  private MadeUpEpoch() {}

  /// Returns an epoch without rows, with 4 workers.
  ///
  /// @param waited how many seconds the consumer waited
  /// @param parked how many workers were parked
  static EpochRecord of(double waited, int parked) {
    List<WorkerStats> workers =
        IntStream.range(0, 4)
            .mapToObj(i -> new WorkerStats(i, i >= 4 - parked, StageTimes.NONE))
            .toList();
    return of(0, 0, waited, workers);
  }

  /// Returns an epoch of 100 batches of 10 rows, with workers that spent all their time on a stage.
  static EpochRecord of(double waited, int workers, Stage stage) {
    StageTimes busy = new StageTimes(Map.of(stage, NANOS));
    return of(
        1000,
        100,
        waited,
        IntStream.range(0, workers).mapToObj(i -> new WorkerStats(i, false, busy)).toList());
  }

  private static EpochRecord of(long rows, long batches, double waited, List<WorkerStats> workers) {
    EpochTimes times =
        new EpochTimes(
            NANOS,
            new StageTimes(Map.of(Stage.DECODE, (long) (waited * NANOS))),
            WaitStats.NONE,
            workers);
    return new EpochRecord(
        new LoaderStats(
            0,
            rows,
            batches,
            List.of(),
            PaddingStats.NONE,
            0,
            List.of(),
            ReadStats.NONE,
            new MemoryStats(0, 0, 0),
            times,
            BatchQueue.NONE),
        Timeline.NONE,
        Optional.empty());
  }
}
