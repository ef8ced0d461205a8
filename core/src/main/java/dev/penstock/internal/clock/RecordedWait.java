package dev.penstock.internal.clock;

import dev.penstock.stats.WaitSpan;
import org.jspecify.annotations.Nullable;

/// A wait for the epoch's own recorder, and for the flight recorder if that wants it, too.
final class RecordedWait implements FlightEvents.Wait {
  private final EpochRecorder recorder;
  private final int worker;
  private final String waitsFor;
  private final FlightEvents.@Nullable Wait flight;
  private final long start = System.nanoTime();

  RecordedWait(
      EpochRecorder recorder, int worker, String waitsFor, FlightEvents.@Nullable Wait flight) {
    this.recorder = recorder;
    this.worker = worker;
    this.waitsFor = waitsFor;
    this.flight = flight;
  }

  @Override
  public void over() {
    if (flight != null) {
      flight.over();
    }
    long end = System.nanoTime();
    recorder
        .timeline()
        .add(
            new WaitSpan(
                worker,
                start - recorder.start(),
                end - recorder.start(),
                end - start,
                1,
                waitsFor));
  }
}
