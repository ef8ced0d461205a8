package dev.penstock.report;

import dev.penstock.EpochRecord;
import dev.penstock.LoaderStats;
import dev.penstock.stats.BatchQueue;
import dev.penstock.stats.EpochTimes;
import dev.penstock.stats.MemoryStats;
import dev.penstock.stats.PaddingStats;
import dev.penstock.stats.ReadStats;
import dev.penstock.stats.SkippedRows;
import dev.penstock.stats.SliceSpan;
import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import dev.penstock.stats.StatsSample;
import dev.penstock.stats.StoreReads;
import dev.penstock.stats.Timeline;
import dev.penstock.stats.TimelineBuilder;
import dev.penstock.stats.WaitSpan;
import dev.penstock.stats.WaitStats;
import dev.penstock.stats.WorkerStats;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import org.jspecify.annotations.Nullable;

/// The events of an epoch in a recording.
final class FlightEpoch {
  private final long loader;
  private final long epoch;
  private final List<RecordedEvent> slices = new ArrayList<>();
  private final List<RecordedEvent> waits = new ArrayList<>();
  private final List<RecordedEvent> samples = new ArrayList<>();
  private final List<RecordedEvent> workers = new ArrayList<>();
  private @Nullable RecordedEvent end;

  FlightEpoch(long loader, long epoch) {
    this.loader = loader;
    this.epoch = epoch;
  }

  long loader() {
    return loader;
  }

  void add(RecordedEvent event) {
    switch (event.getEventType().getName()) {
      case "penstock.Slice" -> slices.add(event);
      case "penstock.Wait" -> waits.add(event);
      case "penstock.Sample" -> samples.add(event);
      case "penstock.Worker" -> workers.add(event);
      case "penstock.Epoch" -> end = event;
      default -> {} // of a later version
    }
  }

  boolean hasEnded() {
    return end != null;
  }

  /// Returns whether this is only what a worker was still told after the end of its epoch.
  boolean isTail() {
    return end == null && slices.isEmpty() && samples.isEmpty();
  }

  /// Returns the epoch as a run.
  ///
  /// @param isOneLoader whether the loader need not be named
  Run run(boolean isOneLoader) {
    String name =
        (isOneLoader ? "" : "loader " + loader + ", ")
            + "epoch "
            + epoch
            + (end == null ? ", a part" : "");
    Instant start = start();
    Timeline timeline = timeline(start);
    return new Run(
        name,
        List.of(),
        false,
        new EpochRecord(end == null ? partly(timeline) : stats(end), timeline),
        Optional.empty());
  }

  private Instant start() {
    if (end != null) {
      return end.getEndTime().minus(end.getDuration("took"));
    }
    return slices.stream()
        .map(RecordedEvent::getStartTime)
        .min(Comparator.naturalOrder())
        .orElseGet(() -> samples.getFirst().getStartTime());
  }

  private Timeline timeline(Instant start) {
    TimelineBuilder timeline = new TimelineBuilder();
    for (RecordedEvent slice : slices) {
      timeline.add(
          new SliceSpan(
              slice.getInt("worker"),
              since(start, slice.getStartTime()),
              since(start, slice.getEndTime()),
              slice.getString("file"),
              slice.getLong("firstRow"),
              slice.getLong("endRow"),
              slice.getInt("rows"),
              1,
              nanos(slice, Stage.OPEN),
              nanos(slice, Stage.FETCH),
              nanos(slice, Stage.DECOMPRESS),
              nanos(slice, Stage.DECODE),
              nanos(slice, Stage.FILTER),
              nanos(slice, Stage.TRANSFORM)));
    }
    for (RecordedEvent wait : waits) {
      timeline.add(
          new WaitSpan(
              wait.getInt("worker"),
              since(start, wait.getStartTime()),
              since(start, wait.getEndTime()),
              wait.getDuration().toNanos(),
              1,
              wait.getString("waitsFor")));
    }
    for (RecordedEvent sample : samples) {
      timeline.add(
          new StatsSample(
              since(start, sample.getStartTime()),
              sample.getLong("rows"),
              sample.getLong("batches"),
              sample.getLong("bytes"),
              sample.getLong("memory"),
              new BatchQueue(
                  sample.getInt("ready"), sample.getInt("filling"), sample.getInt("capacity"))));
    }
    return timeline.timeline();
  }

  /// The clocks of events and of epochs are read one after another: nothing is before the start.
  private static long since(Instant start, Instant time) {
    return Math.max(0, Duration.between(start, time).toNanos());
  }

  private static long nanos(RecordedEvent event, Stage stage) {
    return event.getDuration(stage.name().toLowerCase(Locale.ROOT)).toNanos();
  }

  private static StageTimes stages(RecordedEvent event) {
    Map<Stage, Long> times = new EnumMap<>(Stage.class);
    for (Stage stage : Stage.values()) {
      times.put(stage, nanos(event, stage));
    }
    return new StageTimes(times);
  }

  private LoaderStats stats(RecordedEvent ended) {
    List<WorkerStats> all =
        workers.stream()
            .map(each ->
                new WorkerStats(each.getInt("worker"), each.getBoolean("parked"), stages(each)))
            .sorted(Comparator.comparingInt(WorkerStats::worker))
            .toList();
    return stats(
        ended.getLong("rows"),
        ended.getLong("batches"),
        reads(ended.getLong("bytes"), ended.getLong("cached")),
        new MemoryStats(0, ended.getLong("memoryPeak"), ended.getLong("memoryLimit")),
        new EpochTimes(ended.getDuration("took").toNanos(), stages(ended), waitsOfBatches(), all));
  }

  private LoaderStats stats(
      long rows, long batches, ReadStats read, MemoryStats memory, EpochTimes times) {
    return new LoaderStats(
        epoch,
        rows,
        batches,
        List.of(),
        PaddingStats.NONE,
        0,
        read,
        memory,
        times,
        BatchQueue.NONE);
  }

  /// A recording does not say from which stores.
  private static ReadStats reads(long bytes, long cached) {
    return new ReadStats(
        new TreeMap<>(Map.of("all stores", new StoreReads(bytes, 0))), cached, SkippedRows.NONE);
  }

  /// Returns the waits that are in the recording; a batch that was ready has none.
  private WaitStats waitsOfBatches() {
    Map<Long, Long> counts = new TreeMap<>();
    long total = 0;
    long most = 0;
    for (RecordedEvent wait : waits) {
      if (wait.getInt("worker") < 0) {
        long nanos = wait.getDuration().toNanos();
        counts.merge(nanos, 1L, Long::sum);
        total += nanos;
        most = Math.max(most, nanos);
      }
    }
    return new WaitStats(
        counts.entrySet().stream()
            .map(each -> new WaitStats.Bucket(each.getKey(), each.getValue()))
            .toList(),
        total,
        most);
  }

  /// Returns the numbers of an epoch that did not end in the recording, as far as slices, waits and
  /// samples tell them: what workers did beside them counts as [Stage#BATCH].
  private LoaderStats partly(Timeline timeline) {
    long nanos = 0;
    for (SliceSpan slice : timeline.slices()) {
      nanos = Math.max(nanos, slice.endNanos());
    }
    for (WaitSpan wait : timeline.waits()) {
      nanos = Math.max(nanos, wait.endNanos());
    }
    Map<Integer, Map<Stage, Long>> byWorker = new TreeMap<>();
    for (SliceSpan slice : timeline.slices()) {
      Map<Stage, Long> times =
          byWorker.computeIfAbsent(slice.worker(), _ -> new EnumMap<>(Stage.class));
      times.merge(Stage.OPEN, slice.openNanos(), Long::sum);
      times.merge(Stage.FETCH, slice.fetchNanos(), Long::sum);
      times.merge(Stage.DECOMPRESS, slice.decompressNanos(), Long::sum);
      times.merge(Stage.DECODE, slice.decodeNanos(), Long::sum);
      times.merge(Stage.FILTER, slice.filterNanos(), Long::sum);
      times.merge(Stage.TRANSFORM, slice.transformNanos(), Long::sum);
    }
    long waited = 0;
    for (WaitSpan wait : timeline.waits()) {
      if (wait.worker() < 0) {
        waited += wait.nanos();
      } else {
        byWorker
            .computeIfAbsent(wait.worker(), _ -> new EnumMap<>(Stage.class))
            .merge(Stage.WAIT, wait.nanos(), Long::sum);
      }
    }
    List<WorkerStats> all = new ArrayList<>();
    for (Map.Entry<Integer, Map<Stage, Long>> each : byWorker.entrySet()) {
      long known = each.getValue().values().stream().mapToLong(Long::longValue).sum();
      each.getValue().put(Stage.BATCH, Math.max(0, nanos - known));
      all.add(new WorkerStats(each.getKey(), false, new StageTimes(each.getValue())));
    }
    EpochTimes times =
        new EpochTimes(nanos, new StageTimes(Map.of(Stage.WAIT, waited)), waitsOfBatches(), all);
    if (timeline.samples().isEmpty()) {
      return stats(0, 0, reads(0, 0), new MemoryStats(0, 0, 0), times);
    }
    StatsSample first = timeline.samples().getFirst();
    StatsSample last = timeline.samples().getLast();
    long peak = timeline.samples().stream().mapToLong(StatsSample::memoryBytes).max().orElse(0);
    return stats(
        last.rows() - first.rows(),
        last.batches() - first.batches(),
        reads(last.bytes() - first.bytes(), 0),
        new MemoryStats(0, peak, 0),
        times);
  }
}
