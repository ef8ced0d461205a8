package dev.penstock.internal.clock;

import dev.penstock.stats.SliceSpan;
import dev.penstock.stats.Stage;
import org.jspecify.annotations.Nullable;

/// A slice for the epoch's own recorder, and for the flight recorder if that wants it, too.
final class RecordedSlice implements FlightEvents.Slice {
  private final StageClock clock;
  private final EpochRecorder recorder;
  private final FlightEvents.@Nullable Slice flight;
  private final StageNanos before;
  private final long start = System.nanoTime();

  RecordedSlice(StageClock clock, EpochRecorder recorder, FlightEvents.@Nullable Slice flight) {
    this.clock = clock;
    this.recorder = recorder;
    this.flight = flight;
    this.before = clock.nanos();
  }

  @Override
  public void over(String file, long firstRow, long endRow, int rows) {
    if (flight != null) {
      flight.over(file, firstRow, endRow, rows);
    }
    StageNanos after = clock.nanos();
    recorder
        .timeline()
        .add(
            new SliceSpan(
                clock.worker(),
                start - recorder.start(),
                System.nanoTime() - recorder.start(),
                file,
                firstRow,
                endRow,
                rows,
                1,
                passed(Stage.OPEN, after),
                passed(Stage.FETCH, after),
                passed(Stage.DECOMPRESS, after),
                passed(Stage.DECODE, after),
                passed(Stage.FILTER, after),
                passed(Stage.TRANSFORM, after)));
  }

  private long passed(Stage stage, StageNanos after) {
    return after.get(stage) - before.get(stage);
  }
}
