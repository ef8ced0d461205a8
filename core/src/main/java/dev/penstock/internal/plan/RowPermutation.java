package dev.penstock.internal.plan;

/// A permutation of row numbers: which row is at which place.
///
/// **Threads.** Any.
public interface RowPermutation {
  /// Returns how many rows there are.
  long size();

  /// Returns the row at a place.
  ///
  /// @param place the place, in `[0, size())`
  /// @return the row, in `[0, size())`
  long row(long place);

  /// Returns the place of a row.
  ///
  /// @param row the row, in `[0, size())`
  /// @return its place, in `[0, size())`
  long place(long row);
}
