package dev.penstock.internal.clock;

import dev.penstock.stats.Stage;
import dev.penstock.stats.StageTimes;
import java.util.EnumMap;
import java.util.Map;

/// Nanoseconds by stage, as a plain array, because they are compared at every wait and must not be
/// boxed.
///
/// **Threads.** One at a time.
@SuppressWarnings("EnumOrdinal") // the place in the array, here and nowhere else
final class StageNanos {
  private static final Stage[] STAGES = Stage.values();

  private final long[] nanos = new long[STAGES.length];

  long get(Stage stage) {
    return nanos[stage.ordinal()];
  }

  void set(Stage stage, long value) {
    nanos[stage.ordinal()] = value;
  }

  void add(Stage stage, long more) {
    nanos[stage.ordinal()] += more;
  }

  void add(StageNanos more) {
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] += more.nanos[i];
    }
  }

  StageTimes times() {
    Map<Stage, Long> times = new EnumMap<>(Stage.class);
    for (Stage stage : STAGES) {
      times.put(stage, get(stage));
    }
    return new StageTimes(times);
  }
}
