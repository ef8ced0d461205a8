package dev.penstock.internal.plan;

import java.util.List;

/// A window of the sequence, whose rows are delivered in another order than they are read.
///
/// Its rows are the places in that order; with a filter, the last places of a shuffled window stay
/// empty. Rows that a transform adds come after them, and belong to the last place. Where the
/// window is composed, all that is made of it belongs to the first place, and it is not cut.
///
/// @param parts the rows of files, those of each dataset in the order of its sequence
/// @param order the order
/// @param number the window's number in its rank's share if it is composed; -1 if it is not
/// @param firstRow the first place to deliver
/// @param rowCount how many places from there
/// @param behind how many of the rows at the first place are left out
public record WindowRun(
    List<RowRun> parts, WindowOrder order, long number, long firstRow, long rowCount, long behind)
    implements Run {
  /// Copies the list.
  public WindowRun {
    parts = List.copyOf(parts);
  }

  @Override
  public boolean goesOn() {
    // In a mixture each source may go on.
    return order instanceof WindowOrder.Mixed
        ? parts.stream().anyMatch(RowRun::endsInsideRowGroup)
        : parts.getLast().endsInsideRowGroup();
  }

  @Override
  public boolean isCounted() {
    return !isComposed() && (order instanceof WindowOrder.Mixed || isWhole());
  }

  @Override
  public boolean isComposed() {
    return number >= 0;
  }

  /// Returns how many rows the whole window has, if shuffled before a filter and a transform.
  ///
  /// @return rows
  public long rowsInAll() {
    return order instanceof WindowOrder.Mixed mixed
        ? mixed.rows()
        : parts.stream().mapToLong(RowRun::rowCount).sum();
  }

  /// Returns some of its places.
  ///
  /// @param from the first one, counted from [#firstRow()]
  /// @param to the one after the last
  WindowRun slice(long from, long to) {
    return new WindowRun(parts, order, number, firstRow + from, to - from, from == 0 ? behind : 0);
  }

  /// Returns the same places without some rows of the first one.
  ///
  /// @param rows how many are left out
  WindowRun behind(long rows) {
    return new WindowRun(parts, order, number, firstRow, rowCount, rows);
  }

  /// Returns the same window, composed.
  ///
  /// @param number its number in its rank's share
  WindowRun composed(long number) {
    return new WindowRun(parts, order, number, firstRow, rowCount, behind);
  }
}
