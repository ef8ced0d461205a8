package dev.penstock.report;

import dev.penstock.stats.EpochTimes;
import dev.penstock.stats.SliceSpan;
import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import dev.penstock.stats.Timeline;
import dev.penstock.stats.WaitSpan;
import dev.penstock.stats.WaitStats;
import dev.penstock.stats.WorkerStats;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Where the time of an epoch went, as far as its slices and waits tell: what workers did beside
/// them counts as [Stage#BATCH].
final class TimelineTimes {
  private final Map<Integer, Map<Stage, Long>> workers = new TreeMap<>();
  private long consumerWaited;
  private long end;

  private TimelineTimes() {}

  static EpochTimes of(Timeline timeline, WaitStats waits) {
    TimelineTimes times = new TimelineTimes();
    timeline.slices().forEach(times::add);
    timeline.waits().forEach(times::add);
    StageTimes waited = new StageTimes(Map.of(Stage.WAIT, times.consumerWaited));
    return new EpochTimes(times.end, waited, waits, times.workers());
  }

  private void add(SliceSpan slice) {
    end = Math.max(end, slice.endNanos());
    add(slice.worker(), Stage.OPEN, slice.openNanos());
    add(slice.worker(), Stage.FETCH, slice.fetchNanos());
    add(slice.worker(), Stage.DECOMPRESS, slice.decompressNanos());
    add(slice.worker(), Stage.DECODE, slice.decodeNanos());
    add(slice.worker(), Stage.FILTER, slice.filterNanos());
    add(slice.worker(), Stage.TRANSFORM, slice.transformNanos());
  }

  private void add(WaitSpan wait) {
    end = Math.max(end, wait.endNanos());
    if (wait.worker() < 0) {
      consumerWaited += wait.nanos();
    } else {
      add(wait.worker(), Stage.WAIT, wait.nanos());
    }
  }

  private void add(int worker, Stage stage, long nanos) {
    workers.computeIfAbsent(worker, _ -> new EnumMap<>(Stage.class)).merge(stage, nanos, Long::sum);
  }

  private List<WorkerStats> workers() {
    List<WorkerStats> all = new ArrayList<>();
    workers.forEach((worker, times) -> {
      long known = times.values().stream().mapToLong(Long::longValue).sum();
      times.put(Stage.BATCH, Math.max(0, end - known));
      all.add(new WorkerStats(worker, false, new StageTimes(times)));
    });
    return all;
  }
}
