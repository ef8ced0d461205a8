package dev.penstock.internal.clock;

import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// The events that a flight recorder can record: `penstock.Slice` and `penstock.Wait`.
///
/// Nothing is made of them, and nothing measured, unless a recording wants them.
public final class FlightEvents {
  /* The events' classes cannot be loaded where the module jdk.jfr is absent, so nothing but static
   * methods is named here, and that only behind the flag. Before there was a recording, they are not
   * loaded either: the first event of a JVM makes the whole recorder, which takes 0.1 s. */
  private static final boolean PRESENT = isPresent();

  private FlightEvents() {}

  /// A slice that is being decoded.
  public interface Slice {
    /// Ends it.
    ///
    /// @param file where its rows are
    /// @param firstRow the first row that was looked at, counted from 0 in the file
    /// @param endRow behind the last row that was looked at
    /// @param rows how many rows came of them
    void over(String file, long firstRow, long endRow, int rows);
  }

  /// A wait that goes on.
  public interface Wait {
    /// Ends it.
    void over();
  }

  private static boolean isPresent() {
    try {
      Class.forName("jdk.jfr.Event", false, FlightEvents.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static boolean mayRecord() {
    return PRESENT && FlightRecorder.isInitialized();
  }

  /// Begins a slice.
  ///
  /// @return the slice, or null when no recording wants it
  public static @Nullable Slice beginSlice() {
    return mayRecord() ? SliceEvent.start() : null;
  }

  /// Begins a wait.
  ///
  /// @param who waits: `consumer` or `worker`
  /// @param waitsFor for what: `batch`, `consumer` or `count`
  /// @return the wait, or null when no recording wants it
  public static @Nullable Wait beginWait(String who, String waitsFor) {
    return mayRecord() ? WaitEvent.start(who, waitsFor) : null;
  }
}
