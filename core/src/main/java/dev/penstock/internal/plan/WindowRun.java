package dev.penstock.internal.plan;

import java.util.List;

/// A window of the sequence, whose rows are delivered in random order: the order depends only on
/// the seed, the epoch and the window's number.
///
/// Its rows are the places in that order; with a filter, the last places stay empty. Rows that a
/// transform adds come after them, and belong to the last place.
///
/// @param parts the rows of files, in the order of the sequence
/// @param number the window's number in its rank's share, from 0
/// @param firstRow the first place to deliver
/// @param rowCount how many places from there
/// @param behind how many of the rows at the first place are left out
public record WindowRun(List<RowRun> parts, long number, long firstRow, long rowCount, long behind)
    implements Run {
  /// Copies the list.
  public WindowRun {
    parts = List.copyOf(parts);
  }

  @Override
  public boolean goesOn() {
    return parts.getLast().endsInsideRowGroup();
  }

  /// Returns how many rows the whole window has before a filter and a transform.
  ///
  /// @return the rows of all its parts
  public long rowsInAll() {
    return parts.stream().mapToLong(RowRun::rowCount).sum();
  }

  /// Returns some of its places.
  ///
  /// @param from the first one, counted from [#firstRow()]
  /// @param to the one after the last
  WindowRun slice(long from, long to) {
    return new WindowRun(parts, number, firstRow + from, to - from, from == 0 ? behind : 0);
  }

  /// Returns the same places without some rows of the first one.
  ///
  /// @param rows how many are left out
  WindowRun behind(long rows) {
    return new WindowRun(parts, number, firstRow, rowCount, rows);
  }
}
