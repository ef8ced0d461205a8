package dev.penstock.internal.decode;

import dev.penstock.internal.columns.ColumnGroup;
import dev.penstock.internal.plan.BatchTurns;
import dev.penstock.internal.plan.Run;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Deals the units of an epoch to its workers.
///
/// Units are taken in order: all groups of a run before the next run. Where a reader continues from
/// run to run, see [ReaderRuns], each worker instead keeps to one group: taking another worker's
/// unit would make both read earlier rows again. Workers that take turns each take their own runs.
///
/// **Threads.** Safe for any.
final class DecodeUnits {
  private final List<Run> runs;
  private final List<ColumnGroup> groups;
  private final @Nullable BatchTurns turns;
  private final boolean keep;

  /// The next run to take, by group; by worker where workers take turns.
  private final int[] next;

  /// Starts with nothing taken.
  ///
  /// @param runs the rows in the order of the sequence; or of one worker after another
  /// @param groups the columns of a run that are decoded together
  /// @param turns how workers take turns; null where any may take any run
  /// @param keep whether each worker keeps to one group; then there are as many groups as workers
  public DecodeUnits(
      List<Run> runs, List<ColumnGroup> groups, @Nullable BatchTurns turns, boolean keep) {
    this.runs = runs;
    this.groups = groups;
    this.turns = turns;
    this.keep = keep;
    this.next =
        turns == null
            ? new int[groups.size()]
            : IntStream.range(0, turns.workers()).map(turns::firstRun).toArray();
  }

  /// Takes the next unit of a worker.
  ///
  /// @param worker the number of the worker
  /// @return the unit; null when none is left
  public synchronized @Nullable DecodeUnit take(int worker) {
    if (turns != null) {
      int own = next[worker]++;
      return own == turns.firstRun(worker + 1)
          ? null
          : new DecodeUnit(own, runs.get(own), groups.getFirst());
    }
    int group = worker % groups.size();
    for (int other = 0; other < next.length; other++) {
      if (!keep && next[other] < next[group]) {
        group = other;
      }
    }
    int run = next[group]++;
    return run >= runs.size() ? null : new DecodeUnit(run, runs.get(run), groups.get(group));
  }
}
