package dev.penstock.internal.clock;

import dev.penstock.stats.TimelineBuilder;

/// Records what happens in an epoch.
///
/// @param start when the epoch began, by [System#nanoTime]
/// @param timeline takes it, with times since the start
public record EpochRecorder(long start, TimelineBuilder timeline) {
  /// Starts to record an epoch that begins now.
  ///
  /// @return a recorder without anything
  public static EpochRecorder now() {
    return new EpochRecorder(System.nanoTime(), new TimelineBuilder());
  }
}
