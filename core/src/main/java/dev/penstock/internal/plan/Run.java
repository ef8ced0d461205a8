package dev.penstock.internal.plan;

import java.util.List;

/// Rows that are delivered one after another. One worker decodes them from start to end, or a few
/// workers share them by columns.
///
/// Its rows are those of a file or of a window, and are read in order.
public sealed interface Run permits RowRun, WindowRun {
  /// Returns the first row.
  ///
  /// @return its number
  long firstRow();

  /// Returns how many rows there are before a filter.
  ///
  /// @return at least 1
  long rowCount();

  /// Returns the row after the last one.
  ///
  /// @return its number
  default long endRow() {
    return firstRow() + rowCount();
  }

  /// Returns how many rows of the first transform result, or of a composed window, are left out.
  ///
  /// @return 0, unless an epoch stopped within that result
  long behind();

  /// Returns the rows of files that it consists of.
  ///
  /// @return in order, at least one
  List<RowRun> parts();

  /// Returns whether the rows after it are in a row group of which it has some rows, as only in
  /// windows.
  ///
  /// @return true if the row group should not be decompressed anew for them
  default boolean goesOn() {
    return false;
  }

  /// Returns whether a composition makes other rows of it.
  ///
  /// @return true only for some windows
  default boolean isComposed() {
    return false;
  }

  /// Returns whether its rows are only put on piles, see [PilePlaces].
  ///
  /// @return true only for some windows
  default boolean isPiled() {
    return false;
  }

  /// Returns whether one worker reads all windows of a row group, so that it is decompressed once.
  ///
  /// @return true for windows that are composed or piled, each of which has all of its columns
  default boolean isOfOneWorker() {
    return isComposed() || isPiled();
  }

  /// Returns whether each of its rows is delivered, so that their number is known.
  ///
  /// @return false where a filter may leave out some
  default boolean isCounted() {
    return isWhole();
  }

  /// Returns whether the filter keeps all rows.
  ///
  /// @return true if it is known that it does
  default boolean isWhole() {
    return parts().stream().allMatch(part -> part.rest().isAlways());
  }
}
