package dev.penstock.internal.plan;

/// A permutation of row numbers: which row is at which place.
///
/// **Threads.** Any.
public interface RowPermutation {
  long size();

  /// Returns the row at a place, both in `[0, size())`.
  long row(long place);

  /// Returns the place of a row, both in `[0, size())`.
  long place(long row);
}
