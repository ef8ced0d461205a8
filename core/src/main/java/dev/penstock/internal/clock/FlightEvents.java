package dev.penstock.internal.clock;

import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// The events for the flight recorder: `penstock.Slice` and `penstock.Wait`.
///
/// No event is created and nothing is measured unless a recording enables them.
public final class FlightEvents {
  /* The events' classes cannot be loaded if the module jdk.jfr is absent, so only their static
   * methods are used here, and only after checking the flag. They are not loaded before the first
   * recording either: the first event of a JVM initializes the whole recorder, which takes 0.1 s.
   */
  private static final boolean PRESENT = isPresent();

  private FlightEvents() {}

  /// A slice that is being decoded.
  public interface Slice {
    /// Ends the slice.
    ///
    /// @param file the file of its rows
    /// @param firstRow the first row that was looked at, counted from 0 in the file
    /// @param endRow the row after the last one that was looked at
    /// @param rows how many rows resulted
    void over(String file, long firstRow, long endRow, int rows);
  }

  /// A wait in progress.
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
  /// @return the slice, or null if no recording enables it
  public static @Nullable Slice beginSlice() {
    return mayRecord() ? SliceEvent.start() : null;
  }

  /// Begins a wait.
  ///
  /// @param who waits: `consumer` or `worker`
  /// @param waitsFor what it waits for: `batch`, `consumer` or `count`
  /// @return the wait, or null if no recording enables it
  public static @Nullable Wait beginWait(String who, String waitsFor) {
    return mayRecord() ? WaitEvent.start(who, waitsFor) : null;
  }
}
