package dev.penstock.internal.clock;

import dev.penstock.stats.EpochTimes;
import dev.penstock.stats.SliceSpan;
import dev.penstock.stats.StatsSample;
import java.util.function.Consumer;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// What happens in an epoch: slices, waits, and the numbers over time. Told to Java's flight
/// recorder as `penstock.*` events, and to the epoch's own recorder, if it has one.
///
/// No event is created and nothing is measured unless somebody records.
public final class FlightEvents {
  /* The events' classes cannot be loaded if the module jdk.jfr is absent, so only their static
   * methods are used here, and only after checking the flag. They are not loaded before the first
   * recording either: the first event of a JVM initializes the whole recorder, which takes 0.1 s.
   */
  private static final boolean PRESENT = isPresent();

  private FlightEvents() {}

  /// A wait in progress.
  public interface Wait {
    /// Ends it.
    void over();
  }

  /// What an epoch came to.
  ///
  /// @param last the numbers at its end
  /// @param cachedBytes bytes that came from a cache
  /// @param peakBytes the loader's peak of off-heap memory
  /// @param limitBytes the most that it may take
  /// @param times where the time went
  public record Ended(
      StatsSample last, long cachedBytes, long peakBytes, long limitBytes, EpochTimes times) {}

  private static boolean isPresent() {
    try {
      Class.forName("jdk.jfr.Event", false, FlightEvents.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static boolean mayFly() {
    return PRESENT && FlightRecorder.isInitialized();
  }

  /// Begins a slice of the calling thread's worker.
  ///
  /// @return the slice, or null if nobody records it
  public static @Nullable SliceTimer beginSlice() {
    StageClock clock = StageClock.current();
    Consumer<SliceSpan> event = mayFly() ? SliceEvent.start(clock.epoch()) : null;
    boolean isWanted = event != null || clock.epoch().recorder() != null;
    return isWanted ? new SliceTimer(clock, event) : null;
  }

  /// Begins a wait of a worker.
  ///
  /// @param clock the worker's clock
  /// @param waitsFor what it waits for: `consumer`, `count`, `memory` or `work`
  /// @return the wait, or null if nobody records it
  public static @Nullable Wait beginWait(StageClock clock, String waitsFor) {
    return beginWait(clock.epoch(), clock.worker(), waitsFor);
  }

  static @Nullable Wait beginWait(ClockedEpoch epoch, int worker, String waitsFor) {
    Wait flight = mayFly() ? WaitEvent.start(epoch, worker, waitsFor) : null;
    EpochRecorder recorder = epoch.recorder();
    return recorder == null ? flight : new RecordedWait(recorder, worker, waitsFor, flight);
  }

  /// Returns whether samples of an epoch are wanted.
  ///
  /// @return false if nobody records them
  public static boolean wantsSamples(ClockedEpoch epoch) {
    return epoch.recorder() != null || (mayFly() && SampleEvent.isOn());
  }

  /// Tells the numbers of a moment.
  public static void sample(ClockedEpoch epoch, StatsSample sample) {
    EpochRecorder recorder = epoch.recorder();
    if (recorder != null) {
      recorder.timeline().add(sample);
    }
    if (mayFly()) {
      SampleEvent.commit(epoch, sample);
    }
  }

  /// Returns whether the end of epochs is to be told.
  ///
  /// @return false if no recording wants it
  public static boolean wantsEnds() {
    return mayFly() && (EpochEvent.isOn() || WorkerEvent.isOn());
  }

  /// Tells that an epoch ended.
  ///
  /// @param ended what it came to
  public static void ended(ClockedEpoch epoch, Ended ended) {
    WorkerEvent.commit(epoch, ended.times().workers());
    EpochEvent.commit(epoch, ended);
  }
}
