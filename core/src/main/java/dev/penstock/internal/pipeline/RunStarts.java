package dev.penstock.internal.pipeline;

import java.util.Arrays;

/// Where the rows of each run start in the epoch's sequence: where the rows of the run before end.
///
/// How many rows a run delivers is known before it is read, or when all of it was: behind a filter.
/// So a run's start is known when all runs before it are counted.
///
/// **Threads.** Guarded by the [BatchWindow]'s lock.
final class RunStarts {
  private static final long UNKNOWN = -1;

  private final long[] counts;
  private final long[] starts;

  /// The runs, from the first on, whose starts are known; the end of the last one is there as well.
  private int known;

  /// Makes the starts.
  ///
  /// @param counts the rows of each run, -1 where they are not known yet
  RunStarts(long... counts) {
    this.counts = counts.clone();
    this.starts = new long[counts.length + 1];
    Arrays.fill(starts, 1, starts.length, UNKNOWN);
    advance();
  }

  /// Takes the rows of a run; more than once the same number.
  ///
  /// @return whether they were not known before
  boolean count(int run, long rows) {
    boolean isNew = counts[run] == UNKNOWN;
    counts[run] = rows;
    advance();
    return isNew;
  }

  private void advance() {
    while (known < counts.length && counts[known] != UNKNOWN) {
      starts[known + 1] = starts[known] + counts[known];
      known++;
    }
  }

  /// Returns the place of a run's first row, or -1 where it is not known yet.
  long start(int run) {
    return starts[run];
  }

  /// Returns the rows of all runs, or -1 where they are not known yet.
  long total() {
    return starts[counts.length];
  }
}
