package dev.penstock.internal.clock;

import dev.penstock.stats.TimelineBuilder;

/// Records what happens in an epoch.
///
/// @param start when the epoch began, by [System#nanoTime]
public record EpochRecorder(long start, TimelineBuilder timeline) {
  public static EpochRecorder now() {
    return new EpochRecorder(System.nanoTime(), new TimelineBuilder());
  }
}
