package dev.penstock.internal.compose;

import dev.penstock.internal.compose.WindowFact.Trend;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.plan.WindowRun;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What was found out about each window by reading what decides its composition.
///
/// **Threads.** Any.
public final class WindowFacts {
  final boolean hasAllKeys;
  private final Map<Long, WindowFact> windows = new HashMap<>();

  /// `hasAllKeys` says to note every key, to find one that comes again.
  public WindowFacts(boolean hasAllKeys) {
    this.hasAllKeys = hasAllKeys;
  }

  synchronized void note(long window, WindowFact fact) {
    windows.put(window, fact);
  }

  /// Returns whether the keys of groups rise or fall, so that none comes again.
  public boolean areKeysSorted(Sequence all) {
    Trend trend = Trend.NONE;
    WindowFact.GroupsOf last = null;
    for (Run run : all.runs()) {
      if (of(((WindowRun) run).number()) instanceof WindowFact.GroupsOf groups) {
        trend = trend.and(groups.trend());
        if (last != null && !Objects.equals(last.lastKey(), groups.firstKey())) {
          trend = trend.and(Trend.of(last.lastKey(), groups.firstKey()));
        }
        last = groups;
      }
    }
    return trend.isSorted();
  }

  /// Returns what was noted of a window; null if a filter left nothing of it.
  synchronized @Nullable WindowFact of(long window) {
    return windows.get(window);
  }
}
