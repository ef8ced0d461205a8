package dev.penstock.report;

import dev.penstock.stats.BatchQueue;
import dev.penstock.stats.SliceSpan;
import dev.penstock.stats.Stage;
import dev.penstock.stats.StatsSample;
import dev.penstock.stats.Timeline;
import dev.penstock.stats.TimelineBuilder;
import dev.penstock.stats.WaitSpan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import jdk.jfr.consumer.RecordedEvent;

/// Makes the timeline of an epoch from its events.
///
/// @param start when the epoch began
record FlightTimeline(Instant start) {
  Timeline of(List<RecordedEvent> slices, List<RecordedEvent> waits, List<RecordedEvent> samples) {
    TimelineBuilder timeline = new TimelineBuilder();
    slices.forEach(slice -> timeline.add(slice(slice)));
    waits.forEach(wait -> timeline.add(wait(wait)));
    samples.forEach(sample -> timeline.add(sample(sample)));
    return timeline.timeline();
  }

  private SliceSpan slice(RecordedEvent slice) {
    return new SliceSpan(
        slice.getInt("worker"),
        nanos(slice.getStartTime()),
        nanos(slice.getEndTime()),
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
        nanos(slice, Stage.TRANSFORM));
  }

  private WaitSpan wait(RecordedEvent wait) {
    return new WaitSpan(
        wait.getInt("worker"),
        nanos(wait.getStartTime()),
        nanos(wait.getEndTime()),
        wait.getDuration().toNanos(),
        1,
        wait.getString("waitsFor"));
  }

  private StatsSample sample(RecordedEvent sample) {
    return new StatsSample(
        nanos(sample.getStartTime()),
        sample.getLong("rows"),
        sample.getLong("batches"),
        sample.getLong("bytes"),
        sample.getLong("memory"),
        new BatchQueue(
            sample.getInt("ready"), sample.getInt("filling"), sample.getInt("capacity")));
  }

  /// The clocks of events and of epochs are read one after another: nothing is before the start.
  private long nanos(Instant time) {
    return Math.max(0, Duration.between(start, time).toNanos());
  }

  static long nanos(RecordedEvent event, Stage stage) {
    return event.getDuration(stage.name().toLowerCase(Locale.ROOT)).toNanos();
  }
}
