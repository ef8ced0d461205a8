package dev.penstock.internal.plan;

import java.util.List;

/// What a worker decodes from start to end, or a few workers by its columns: rows that are
/// delivered one after another.
///
/// It has rows of its own, which are read in order: those of a file, or those of a window.
public sealed interface Run permits RowRun, WindowRun {
  /// Returns the first row.
  ///
  /// @return its number
  long firstRow();

  /// Returns how many rows there are before a filter.
  ///
  /// @return at least 1
  long rowCount();

  /// Returns the row behind the last one.
  ///
  /// @return its number
  default long endRow() {
    return firstRow() + rowCount();
  }

  /// Returns how many rows are left out of those that a transform makes together of the first ones.
  ///
  /// @return 0, but where a run was stopped between them
  long behind();

  /// Returns the rows of files that it is made of.
  ///
  /// @return in order, at least one
  List<RowRun> parts();

  /// Returns whether rows of a row group follow of which it has others: it is a window, then.
  ///
  /// @return true if the row group should not be decompressed anew for them
  default boolean goesOn() {
    return false;
  }

  /// Returns whether the filter keeps all rows.
  ///
  /// @return true if it is known that it does
  default boolean isWhole() {
    return parts().stream().allMatch(part -> part.rest().isAlways());
  }
}
