package dev.penstock.internal.plan;

import java.util.List;

/// A window of the sequence, whose rows are delivered in another order than they are read.
///
/// Its rows are the places in that order; with a filter, the last places of a shuffled window stay
/// empty. Rows that a transform adds come after them, and belong to the last place.
///
/// @param parts the rows of files, those of each dataset in the order of its sequence
/// @param order the order
/// @param firstRow the first place to deliver
/// @param rowCount how many places from there
/// @param behind how many of the rows at the first place are left out
public record WindowRun(
    List<RowRun> parts, WindowOrder order, long firstRow, long rowCount, long behind)
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
    return order instanceof WindowOrder.Mixed || isWhole();
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
    return new WindowRun(parts, order, firstRow + from, to - from, from == 0 ? behind : 0);
  }

  /// Returns the same places without some rows of the first one.
  ///
  /// @param rows how many are left out
  WindowRun behind(long rows) {
    return new WindowRun(parts, order, firstRow, rowCount, rows);
  }
}
