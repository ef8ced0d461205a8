package dev.penstock.internal.slices;

import org.jspecify.annotations.Nullable;

/// Rows that are still where they were decoded: each is a row of one of several slices.
///
/// What writes rows of lists or of a feature matrix copies them from there, so that they are copied
/// once. Other columns are to be had in order, as of any [Rows].
public interface ScatteredRows extends Rows {
  /// Returns how many slices there are; they are numbered from 0.
  int sliceCount();

  /// Returns a slice, among whose rows are those that are wanted; null where none is.
  @Nullable Rows slice(int number);

  /// Returns the ascending places of the [#rowCount] rows of a slice among all; not to be changed.
  int[] places(int number);

  /// Returns which row of a slice is the first that is wanted; the others follow it.
  int firstRow(int number);

  int rowCount(int number);

  /// Returns by row the number of its slice; not to be changed.
  int[] sliceOfRow();

  /// Returns by row its number in its slice; not to be changed.
  int[] rowInSlice();
}
