package dev.penstock.internal.plan;

import java.util.List;

/// A window of the sequence, whose rows are delivered in random order: the order is a function of
/// the seed, the epoch and the window's number alone.
///
/// Its own rows are the places in that order; a filter leaves the last ones empty.
///
/// @param parts the rows of files, in the order of the sequence
/// @param number the window's number in its rank's share, from 0
/// @param firstRow the first place to deliver
/// @param rowCount how many places from there
public record WindowRun(List<RowRun> parts, long number, long firstRow, long rowCount)
    implements Run {
  /// Copies the list.
  public WindowRun {
    parts = List.copyOf(parts);
  }

  @Override
  public long behind() {
    return 0;
  }

  @Override
  public boolean goesOn() {
    return parts.getLast().endsInsideRowGroup();
  }

  /// Returns some of its places.
  ///
  /// @param from the first one, counted from [#firstRow()]
  /// @param to the one behind the last
  WindowRun slice(long from, long to) {
    return new WindowRun(parts, number, firstRow + from, to - from);
  }
}
