package dev.penstock.report;

import dev.penstock.stats.BatchQueue;
import dev.penstock.stats.EpochRecord;
import dev.penstock.stats.EpochTimes;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.MemoryStats;
import dev.penstock.stats.PaddingStats;
import dev.penstock.stats.ReadStats;
import dev.penstock.stats.SkippedRows;
import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import dev.penstock.stats.StatsSample;
import dev.penstock.stats.StoreReads;
import dev.penstock.stats.Timeline;
import dev.penstock.stats.WaitStats;
import dev.penstock.stats.WorkerStats;
import dev.penstock.steps.StepDigest;
import dev.penstock.steps.StepsReceived;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
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
  private final List<RecordedEvent> steps = new ArrayList<>();
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
      case "penstock.Step" -> steps.add(event);
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
    Timeline timeline = new FlightTimeline(start()).of(slices, waits, samples);
    return Run.of(
        name, new EpochRecord(end == null ? partly(timeline) : stats(end), timeline, steps()));
  }

  /// Returns the digests of steps, as far as they were recorded.
  private Optional<StepsReceived> steps() {
    List<StepDigest> all =
        steps.stream()
            .sorted(Comparator.comparing(RecordedEvent::getStartTime))
            .map(this::step)
            .toList();
    return all.isEmpty() ? Optional.empty() : Optional.of(StepsReceived.of(all));
  }

  private StepDigest step(RecordedEvent event) {
    return new StepDigest(
        epoch,
        event.getLong("step"),
        event.getInt("rank"),
        event.getInt("world"),
        event.getInt("rows"),
        HexFormat.fromHexDigitsToLong(event.getString("digest")));
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

  private static StageTimes stages(RecordedEvent event) {
    Map<Stage, Long> times = new EnumMap<>(Stage.class);
    for (Stage stage : Stage.values()) {
      times.put(stage, FlightTimeline.nanos(event, stage));
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
        List.of(),
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
  /// samples tell them.
  private LoaderStats partly(Timeline timeline) {
    EpochTimes times = TimelineTimes.of(timeline, waitsOfBatches());
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
