package dev.penstock.internal.compose;

import dev.penstock.internal.compose.Composed.Extent;
import dev.penstock.internal.plan.WindowCounts;
import java.util.HashMap;
import java.util.Map;

/// What was found out about each window by reading what decides its composition.
///
/// **Threads.** Any.
public final class WindowFacts implements WindowCounts {
  private final Map<Long, Extent> windows = new HashMap<>();

  /// Starts without facts.
  public WindowFacts() {}

  synchronized void note(long window, Extent extent) {
    windows.put(window, extent);
  }

  private synchronized Extent of(long window) {
    return windows.getOrDefault(window, Extent.NONE);
  }

  @Override
  public long made(long window) {
    return of(window).placeCount();
  }

  @Override
  public long madeOf(long window, long rows) {
    return of(window).place(Math.toIntExact(rows));
  }
}
