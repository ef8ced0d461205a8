package dev.penstock.internal.workers;

import dev.penstock.internal.clock.FlightEvents;
import dev.penstock.internal.clock.StageClock;
import dev.penstock.stats.Stage;
import java.util.concurrent.locks.Condition;

/// Waits of a worker, recorded by its clock and the flight recorder.
public final class WorkerWait {
  private WorkerWait() {}

  /// Waits until signalled.
  ///
  /// @param waitsFor what it waits for, as recorded in the event `penstock.Wait`
  @SuppressWarnings("WaitNotInLoop") // the caller has the loop
  public static void on(Condition condition, String waitsFor) {
    StageClock clock = StageClock.current();
    Stage before = clock.enter(Stage.WAIT);
    FlightEvents.Wait event = FlightEvents.beginWait(clock, waitsFor);
    try {
      condition.awaitUninterruptibly();
    } finally {
      if (event != null) {
        event.over();
      }
      clock.enter(before);
    }
  }
}
