package dev.penstock.internal.deliver;

import dev.penstock.internal.plan.BatchTurns;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Where the rows of each run start in the epoch's sequence: where those of the run before end.
///
/// How many rows a run delivers is known before it is read, or with a filter after all of it was
/// read. So a run's start is known once all runs before it are counted.
///
/// A row's place in batches is its number in the sequence, unless workers take turns.
///
/// **Threads.** Guarded by the [DeliveryQueue]'s lock.
public final class RunStarts {
  private static final long UNKNOWN = -1;

  private final long[] counts;
  private final long[] starts;

  /// How many runs, from the first on, have a known start; the end of the last of them is known as
  /// well.
  private int known;

  private final @Nullable BatchTurns turns;

  /// Makes the starts of runs in one sequence.
  ///
  /// @param counts the rows of each run, -1 where they are not known yet
  RunStarts(long... counts) {
    this(null, counts);
  }

  /// Makes the starts.
  ///
  /// @param turns the places of the rows; null where a row's place is its number
  /// @param counts the rows of each run, -1 where not known yet; with turns all are known
  public RunStarts(@Nullable BatchTurns turns, long... counts) {
    this.turns = turns;
    this.counts = counts.clone();
    this.starts = new long[counts.length + 1];
    Arrays.fill(starts, 1, starts.length, UNKNOWN);
    advance();
  }

  /// Records the rows of a run. May be called again with the same number.
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

  /// Returns whether workers take turns.
  boolean hasTurns() {
    return turns != null;
  }

  /// Returns the place of a row in batches; [Long#MAX_VALUE] where it is not delivered. Needs no
  /// lock.
  long place(long row) {
    return turns == null ? row : turns.place(row);
  }

  /// Returns the rows of a batch, before the end of all rows shortens it. Needs no lock.
  int rowCount(long batch, int batchSize) {
    return turns == null ? batchSize : turns.rowCount(batch);
  }

  /// Returns the place after all rows, or -1 where it is not known yet.
  long end(int batchSize) {
    return turns == null ? total() : turns.batches() * batchSize;
  }

  /// Returns the rows of all runs, or -1 where they are not known yet.
  ///
  /// @return rows
  public long total() {
    return starts[counts.length];
  }
}
