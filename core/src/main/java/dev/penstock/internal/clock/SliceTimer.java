package dev.penstock.internal.clock;

import dev.penstock.stats.SliceSpan;
import dev.penstock.stats.Stage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A slice that is being decoded: measured once for all who record it.
public final class SliceTimer {
  private final StageClock clock;
  private final @Nullable Consumer<SliceSpan> event; // null if no recording wants it
  private final long start = System.nanoTime();
  private final StageNanos before;

  SliceTimer(StageClock clock, @Nullable Consumer<SliceSpan> event) {
    this.clock = clock;
    this.event = event;
    this.before = clock.nanos();
  }

  /// Ends a slice for which rows `[firstRow, endRow)` of the file were looked at.
  public void over(String file, long firstRow, long endRow, int rows) {
    EpochRecorder recorder = clock.epoch().recorder();
    long epochStart = recorder == null ? start : recorder.start();
    StageNanos after = clock.nanos();
    SliceSpan span =
        new SliceSpan(
            clock.worker(),
            start - epochStart,
            System.nanoTime() - epochStart,
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
            passed(Stage.TRANSFORM, after));
    if (event != null) {
      event.accept(span);
    }
    if (recorder != null) {
      recorder.timeline().add(span);
    }
  }

  private long passed(Stage stage, StageNanos after) {
    return after.get(stage) - before.get(stage);
  }
}
