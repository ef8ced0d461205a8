package dev.penstock.internal.plan;

import dev.penstock.storage.Location;
import java.util.List;

/// A window of the sequence, whose rows are delivered in another order than they are read, or of
/// which a composition makes other rows.
///
/// Its rows are the places in that order; with a filter, the last places of a shuffled window stay
/// empty. Rows that a transform adds come after them, and belong to the last place.
///
/// @param parts the rows of files, those of each dataset in the order of its sequence; none for
///   [WindowOrder.Global], whose rows are found when they are read
/// @param order the order
/// @param number the window's number
/// @param places what its places are
/// @param isContinued of a window to compose, whether the next one goes on in its row group, so
///   that it is best read by the same worker
/// @param firstRow the first place to deliver
/// @param rowCount how many places from there
/// @param behind how many of the rows at the first place are left out
public record WindowRun(
    List<RowRun> parts,
    WindowOrder order,
    long number,
    Places places,
    boolean isContinued,
    long firstRow,
    long rowCount,
    long behind)
    implements Run {
  /// What the places of a window are.
  public enum Places {
    /// Its rows.
    ROWS,

    /// Its rows; but all that a composition makes of them belongs to the first place, because it is
    /// not known how much that is. The window is not cut.
    FIRST,

    /// What a composition makes of it: rows, or batches where it makes whole ones.
    MADE
  }

  /// Copies the list.
  public WindowRun {
    parts = List.copyOf(parts);
  }

  /// Makes a window that is delivered as it is read, but for the order.
  static WindowRun of(List<RowRun> parts, WindowOrder order, long number, long rows) {
    return new WindowRun(parts, order, number, Places.ROWS, false, 0, rows, 0);
  }

  @Override
  public boolean goesOn() {
    if (isComposed()) {
      return isContinued;
    }
    return switch (order) {
      case WindowOrder.Kept _, WindowOrder.Shuffled _, WindowOrder.Piled _ ->
          parts.getLast().endsInsideRowGroup();
      // Each source may go on.
      case WindowOrder.Mixed _ -> parts.stream().anyMatch(RowRun::endsInsideRowGroup);
      case WindowOrder.Global _ -> false;
    };
  }

  @Override
  public boolean isCounted() {
    return switch (places) {
      case ROWS ->
          order instanceof WindowOrder.Mixed || order instanceof WindowOrder.Global || isWhole();
      case FIRST -> false;
      case MADE -> true;
    };
  }

  @Override
  public boolean isComposed() {
    return places != Places.ROWS;
  }

  @Override
  public boolean isPiled() {
    return order instanceof WindowOrder.Piled;
  }

  /// Returns how many rows the whole window has, before a filter and a transform unless it is
  /// mixed.
  ///
  /// @return rows
  public long rowsInAll() {
    return switch (order) {
      case WindowOrder.Kept _, WindowOrder.Shuffled _, WindowOrder.Piled _ ->
          parts.stream().mapToLong(RowRun::rowCount).sum();
      case WindowOrder.Mixed mixed -> mixed.rows();
      case WindowOrder.Global global -> global.rows();
    };
  }

  /// Returns some of its places.
  ///
  /// @param from the first one, counted from [#firstRow()]
  /// @param to the one after the last
  WindowRun slice(long from, long to) {
    return new WindowRun(
        parts,
        order,
        number,
        places,
        isContinued,
        firstRow + from,
        to - from,
        from == 0 ? behind : 0);
  }

  /// Returns the same places without some rows of the first one.
  ///
  /// @param rows how many are left out
  WindowRun behind(long rows) {
    return new WindowRun(parts, order, number, places, isContinued, firstRow, rowCount, rows);
  }

  /// Returns how many rows of the window come before one of them, as they are read.
  ///
  /// @param file the row's file
  /// @param row its number in the file
  /// @return rows
  public long offset(Location file, long row) {
    long before = 0;
    for (RowRun part : parts) {
      boolean isIn = part.file().info().location().equals(file);
      if (isIn && row >= part.firstRow() && row < part.endRow()) {
        return before + row - part.firstRow();
      }
      before += part.rowCount();
    }
    throw new IllegalStateException("Row " + row + " of " + file + " is not in the window.");
  }

  /// Returns all rows of the window as they are before a composition, which shuffles them itself.
  ///
  /// @return the window, not composed
  public WindowRun asRead() {
    boolean isMixed = order instanceof WindowOrder.Mixed;
    return of(parts, isMixed ? order : new WindowOrder.Kept(), number, rowsInAll());
  }

  /// Returns the same window, composed.
  ///
  /// @param goesOn see [#isContinued()]
  WindowRun composed(boolean goesOn) {
    return new WindowRun(parts, order, number, Places.FIRST, goesOn, firstRow, rowCount, behind);
  }

  /// Returns the same window, with a place for each thing that is made of it.
  ///
  /// @param first the first of them
  /// @param count how many from there
  WindowRun made(long first, long count) {
    return new WindowRun(parts, order, number, Places.MADE, isContinued, first, count, 0);
  }
}
