package dev.penstock;

import dev.penstock.stats.Timeline;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// What a loader's epochs came to: the last ones, so that its size is bounded.
///
/// **Threads.** Safe for any.
final class EpochHistory {
  private static final int EPOCHS_MAX = 100;

  /// A timeline takes about 2 MB.
  private static final int TIMELINES_MAX = 10;

  private final Deque<EpochRecord> ended = new ArrayDeque<>(); // guarded by this

  /// Adds an epoch that ended or was left.
  synchronized void add(EpochRecord epoch) {
    ended.add(epoch);
    if (ended.size() > EPOCHS_MAX) {
      ended.removeFirst();
    }
    if (ended.stream().filter(each -> !each.timeline().isEmpty()).count() > TIMELINES_MAX) {
      dropFirstTimeline();
    }
  }

  private void dropFirstTimeline() {
    boolean isDropped = false;
    List<EpochRecord> all = new ArrayList<>();
    for (EpochRecord each : ended) {
      boolean drop = !isDropped && !each.timeline().isEmpty();
      all.add(drop ? new EpochRecord(each.stats(), Timeline.NONE) : each);
      isDropped |= drop;
    }
    ended.clear();
    ended.addAll(all);
  }

  /// Returns the epochs that ended, and then the one that runs or was the last.
  synchronized List<EpochRecord> with(Optional<EpochRecord> current) {
    List<EpochRecord> all = new ArrayList<>(ended);
    current.ifPresent(all::add);
    return List.copyOf(all);
  }
}
