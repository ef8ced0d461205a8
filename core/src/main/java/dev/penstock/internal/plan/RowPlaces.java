package dev.penstock.internal.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// An epoch in which each row may come at any place.
///
/// **Threads.** Any.
public abstract sealed class RowPlaces permits TablePlaces, MixturePlaces {
  private final int atOnce;

  /// Some rows in the order in which they are read.
  ///
  /// @param parts which rows of which files
  /// @param places the place of each row, counted from the first of the places that were asked for
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record PlacedRuns(List<RowRun> parts, int[] places) {}

  /// Makes the order.
  ///
  /// @param atOnce how many places are read together
  RowPlaces(int atOnce) {
    this.atOnce = atOnce;
  }

  /// Returns how many places are read together.
  final int atOnce() {
    return atOnce;
  }

  /// Returns the rows in the order of the files.
  ///
  /// @return rows that may match
  public abstract List<RowRun> groups();

  /// Finds the rows at some places.
  ///
  /// @return the rows, as they are read
  public abstract PlacedRuns choose(long first, int count);

  /// Returns the row at a place, to name it in an error.
  ///
  /// @return a run of this row alone
  public abstract RowRun at(long place);

  /// Returns which rows of a mixture are at some places; null if there is no mixture.
  WindowOrder.@Nullable Mixed mixed(long first, long count) {
    return null;
  }

  /// Cuts places into runs.
  ///
  /// @param from the first place
  /// @param to the place after the last
  /// @param runs the list they are added to, in order
  final void cut(long from, long to, List<Run> runs) {
    for (long start = from; start < to; start += atOnce) {
      long count = Math.min(atOnce, to - start);
      WindowOrder order = new WindowOrder.Placed(this, start, count);
      runs.add(WindowRun.of(List.of(), order, start, count));
    }
  }
}
