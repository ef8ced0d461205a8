package dev.penstock.internal.deliver;

import dev.penstock.internal.plan.BatchTurns;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Where the rows of each run start in the epoch's sequence: where those of the run before end.
///
/// How many rows a run delivers is known before it is read, or with a filter after all of it was
/// read. So a run's start is known once all runs before it are counted.
///
/// A row's place in batches is its number in the sequence, unless workers take turns, or a
/// composition cuts the rows of a run into batches of its own. Such a run has places for full
/// batches, and those behind the rows of a batch are not used.
///
/// **Threads.** Under the [DeliveryQueue]'s lock.
public final class RunStarts {
  private static final long UNKNOWN = -1;

  private final long[] counts; // places of each run
  private final long[] starts;
  private final @Nullable BatchCuts[] cuts; // of each run that is cut into batches of its own
  private int known; // how many runs, from the first on, have a known start and end
  private final @Nullable BatchTurns turns;

  /// @param turns the places of the rows; null where a row's place is its number
  /// @param counts the rows of each run, -1 where not known yet; with turns all are known
  public RunStarts(@Nullable BatchTurns turns, long... counts) {
    this.turns = turns;
    this.counts = counts.clone();
    this.cuts = new BatchCuts[counts.length];
    this.starts = new long[counts.length + 1];
    Arrays.fill(starts, 1, starts.length, UNKNOWN);
    advance();
  }

  /// Records the rows of a run. May be called again with the same number. Returns whether they were
  /// not known before.
  ///
  /// @param own how the run is cut into batches of its own; null if it is not
  boolean count(int run, long rows, @Nullable BatchCuts own) {
    boolean isNew = counts[run] == UNKNOWN;
    counts[run] = own == null ? rows : own.places();
    cuts[run] = own;
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

  boolean hasTurns() {
    return turns != null;
  }

  /// Returns the place of a row in batches; [Long#MAX_VALUE] where it is not delivered. Needs no
  /// lock.
  long place(long row) {
    return turns == null ? row : turns.place(row);
  }

  /// Returns how a run is cut into batches of its own; null where it is not, or not known yet.
  @Nullable BatchCuts cuts(int run) {
    return cuts[run];
  }

  /// Returns the rows of a batch, before the end of all rows shortens it.
  int rowCount(long batch, int batchSize) {
    if (turns != null) {
      return turns.rowCount(batch);
    }
    int run = run(batch * batchSize);
    BatchCuts own = run < known ? cuts[run] : null;
    return own == null ? batchSize : own.rowCount((int) (batch - starts[run] / batchSize));
  }

  /// Returns whether the place after a batch need not be that of the next row.
  boolean isApart(long batch, int batchSize) {
    int run = turns == null ? run(batch * batchSize) : known;
    return turns != null || (run < known && cuts[run] != null);
  }

  /// Returns the run at a place, as far as it is known.
  private int run(long place) {
    int found = Arrays.binarySearch(starts, 0, known + 1, place);
    int run = found < 0 ? -found - 2 : found;
    while (run < known && starts[run + 1] == starts[run]) { // runs without rows
      run++;
    }
    return run;
  }

  /// Returns the place after all rows, or -1 where it is not known yet.
  long end(int batchSize) {
    return turns == null ? total() : turns.batches() * batchSize;
  }

  /// Returns the rows of all runs, or -1 where they are not known yet.
  public long total() {
    return starts[counts.length];
  }
}
