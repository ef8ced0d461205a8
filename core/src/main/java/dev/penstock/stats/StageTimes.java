package dev.penstock.stats;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/// How long each [Stage] took. Immutable.
///
/// @param nanosByStage nanoseconds, for every stage
public record StageTimes(Map<Stage, Long> nanosByStage) {
  /// No time at all.
  public static final StageTimes NONE = new StageTimes(Map.of());

  /// Copies the times. A stage that is not there took no time. Throws [IllegalArgumentException] if
  /// a time is negative.
  public StageTimes {
    Map<Stage, Long> all = new EnumMap<>(Stage.class);
    for (Stage stage : Stage.values()) {
      long nanos = nanosByStage.getOrDefault(stage, 0L);
      if (nanos < 0) {
        throw new IllegalArgumentException(
            "Time of stage " + stage + " must be 0 or more, got " + nanos + ".");
      }
      all.put(stage, nanos);
    }
    nanosByStage = Collections.unmodifiableMap(all);
  }

  /// {@return the time of a stage in nanoseconds}
  ///
  /// @param stage the stage
  public long nanos(Stage stage) {
    return nanosByStage.getOrDefault(stage, 0L);
  }

  /// {@return the time of all stages in nanoseconds}
  public long totalNanos() {
    return nanosByStage.values().stream().mapToLong(Long::longValue).sum();
  }

  /// {@return the longer of two times, stage by stage}
  ///
  /// @param other the other times
  public StageTimes max(StageTimes other) {
    Map<Stage, Long> longer = new EnumMap<>(nanosByStage);
    other.nanosByStage.forEach((stage, nanos) -> longer.merge(stage, nanos, Math::max));
    return new StageTimes(longer);
  }

  /// {@return the sums, stage by stage}
  ///
  /// @param other the times to add
  public StageTimes plus(StageTimes other) {
    Map<Stage, Long> sums = new EnumMap<>(nanosByStage);
    other.nanosByStage.forEach((stage, nanos) -> sums.merge(stage, nanos, Long::sum));
    return new StageTimes(sums);
  }
}
