package dev.penstock.internal.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// An epoch in which each row may come at any place.
///
/// **Threads.** Any.
public abstract sealed class RowPlaces permits TablePlaces, MixturePlaces {
  private final int atOnce;

  /// Some rows in the order in which they are read, and the place of each, counted from the first
  /// of the places that were asked for.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record PlacedRuns(List<RowRun> parts, int[] places) {}

  RowPlaces(int atOnce) {
    this.atOnce = atOnce;
  }

  final int atOnce() {
    return atOnce;
  }

  /// Returns the rows that may match, in the order of the files.
  public abstract List<RowRun> groups();

  public abstract PlacedRuns choose(long first, int count);

  /// Gives the rows at some places, in order.
  abstract void rows(long first, int count, RowSink sink);

  /// Returns the row at a place, as a run, to name it in an error.
  public abstract RowRun at(long place);

  /// Returns which rows of a mixture are at some places; null if there is no mixture.
  WindowOrder.@Nullable Mixed mixed(long first, long count) {
    return null;
  }

  /// Cuts places `[from, to)` into runs, and adds these to a list in order.
  final void cut(long from, long to, List<Run> runs) {
    for (long start = from; start < to; start += atOnce) {
      long count = Math.min(atOnce, to - start);
      WindowOrder order = new WindowOrder.Placed(this, start, count);
      runs.add(WindowRun.of(List.of(), order, start, count));
    }
  }
}
