package dev.penstock.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/// Reads the events of loaders from a recording.
final class FlightRecording {
  /* A loader may run the same epoch twice. Its events name only the epoch, so they are told apart
   * by time: what follows the end of an epoch belongs to its next run. Events are written when they
   * end, and an epoch's event follows those of its slices and waits. */

  /// An epoch of a loader; loaders are numbered by the process that was recorded.
  private record Key(long loader, long epoch) {}

  private FlightRecording() {}

  static Report read(Path file) throws IOException {
    List<RecordedEvent> events = new ArrayList<>();
    try (RecordingFile recording = open(file)) {
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        if (event.getEventType().getName().startsWith("penstock.")
            && event.hasField("loader")
            && event.getLong("loader") > 0) {
          events.add(event);
        }
      }
    }
    if (events.isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot report "
              + file
              + ": it has no events of Penstock. Record while a loader runs, for example with"
              + " -XX:StartFlightRecording:filename=load.jfr.");
    }
    events.sort(Comparator.comparing(RecordedEvent::getEndTime));
    return Report.of(Report.Kind.RECORDING, "Recording " + file.getFileName()).runs(runs(events));
  }

  private static RecordingFile open(Path file) throws IOException {
    try {
      return new RecordingFile(file);
    } catch (IOException e) {
      throw new IOException(
          "Cannot read the recording " + file + ": " + e.getMessage() + ". Give a .jfr file.", e);
    }
  }

  private static List<Run> runs(List<RecordedEvent> events) {
    List<FlightEpoch> epochs = new ArrayList<>();
    Map<Key, FlightEpoch> open = new LinkedHashMap<>();
    for (RecordedEvent event : events) {
      Key key = new Key(event.getLong("loader"), event.getLong("epoch"));
      FlightEpoch epoch = open.get(key);
      if (epoch == null) {
        epoch = new FlightEpoch(key.loader(), key.epoch());
        open.put(key, epoch);
        epochs.add(epoch);
      }
      epoch.add(event);
      if (epoch.hasEnded()) {
        open.remove(key);
      }
    }
    boolean isOneLoader = epochs.stream().mapToLong(FlightEpoch::loader).distinct().count() == 1;
    return epochs.stream()
        .filter(epoch -> !epoch.isTail())
        .map(epoch -> epoch.run(isOneLoader))
        .toList();
  }
}
