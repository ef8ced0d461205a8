package dev.penstock.internal.clock;

import dev.penstock.stats.EpochTimes;
import dev.penstock.stats.SliceSpan;
import dev.penstock.stats.StatsSample;
import dev.penstock.stats.WaitSpan;
import dev.penstock.steps.StepDigest;
import java.util.function.Consumer;
import java.util.function.Supplier;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// What happens in an epoch: slices, waits, and the numbers over time. Told to Java's flight
/// recorder as `penstock.*` events, and to the epoch's own recorder, if it has one.
///
/// No event is created and nothing is measured unless somebody records.
public final class FlightEvents {
  /* The events' classes cannot be loaded if the module jdk.jfr is absent, so they are used here
   * only after checking the flag, and never as one of their supertypes, because the verifier would
   * load them to check that. They are not loaded before the first recording either: the first event of a JVM
   * initializes the whole recorder, which takes 0.1 s.
   */
  private static final boolean PRESENT = isPresent();

  private FlightEvents() {}

  /// A wait in progress.
  public interface Wait {
    void over();
  }

  /// What an epoch came to.
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

  /// Tells what was asked for, as JSON.
  public static void requested(Supplier<String> request) {
    if (mayFly()) {
      new JfrEvents.RequestEvent(request.get()).commit();
    }
  }

  /// Begins a slice of the calling thread's worker; null if nobody records it.
  public static @Nullable SliceTimer beginSlice() {
    StageClock clock = StageClock.current();
    Consumer<SliceSpan> event = mayFly() ? JfrEvents.SliceEvent.start(clock.epoch()) : null;
    boolean isWanted = event != null || clock.epoch().recorder() != null;
    return isWanted ? new SliceTimer(clock, event) : null;
  }

  /// Begins a wait of a worker; null if nobody records it.
  ///
  /// @param waitsFor what it waits for: `consumer`, `count`, `memory`, `pass` or `work`
  public static @Nullable Wait beginWait(StageClock clock, String waitsFor) {
    return beginWait(clock.epoch(), clock.worker(), waitsFor);
  }

  static @Nullable Wait beginWait(ClockedEpoch epoch, int worker, String waitsFor) {
    Wait flight = mayFly() ? JfrEvents.WaitEvent.start(epoch, worker, waitsFor) : null;
    EpochRecorder recorder = epoch.recorder();
    if (recorder == null) {
      return flight;
    }
    long start = System.nanoTime();
    return () -> {
      if (flight != null) {
        flight.over();
      }
      long end = System.nanoTime();
      long from = start - recorder.start();
      long to = end - recorder.start();
      recorder.timeline().add(new WaitSpan(worker, from, to, end - start, 1, waitsFor));
    };
  }

  public static boolean wantsSamples(ClockedEpoch epoch) {
    return epoch.recorder() != null || (mayFly() && JfrEvents.SampleEvent.TYPE.isEnabled());
  }

  public static void sample(ClockedEpoch epoch, StatsSample sample) {
    EpochRecorder recorder = epoch.recorder();
    if (recorder != null) {
      recorder.timeline().add(sample);
    }
    if (mayFly() && JfrEvents.SampleEvent.TYPE.isEnabled()) {
      new JfrEvents.SampleEvent(epoch, sample).commit();
    }
  }

  /// Tells the digest of a step that the consumer receives.
  public static void step(ClockedEpoch epoch, StepDigest step) {
    if (mayFly() && JfrEvents.StepEvent.TYPE.isEnabled()) {
      new JfrEvents.StepEvent(epoch, step).commit();
    }
  }

  public static boolean wantsEnds() {
    return mayFly()
        && (JfrEvents.EpochEvent.TYPE.isEnabled() || JfrEvents.WorkerEvent.TYPE.isEnabled());
  }

  public static void ended(ClockedEpoch epoch, Ended ended) {
    ended.times().workers().forEach(each -> new JfrEvents.WorkerEvent(epoch, each).commit());
    new JfrEvents.EpochEvent(epoch, ended).commit();
  }
}
