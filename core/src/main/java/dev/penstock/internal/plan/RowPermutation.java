package dev.penstock.internal.plan;

/// A permutation of row numbers: which row is at which place.
///
/// **Threads.** Any.
public interface RowPermutation {
  long size();

  /// Returns the rows at `count` places from one on, all in `[0, size())`.
  long[] rows(long firstPlace, int count);

  /// Returns the places of `count` rows from one on, all in `[0, size())`.
  long[] places(long firstRow, int count);
}
