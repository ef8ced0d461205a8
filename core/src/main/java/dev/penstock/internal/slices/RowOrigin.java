package dev.penstock.internal.slices;

import dev.penstock.storage.Location;

/// Where a row was read, or the rows of which a transform made it, where it does not tell which.
///
/// @param first the row, or the first of those rows, counted from 0 in the file
/// @param end the row after the last
public record RowOrigin(Location file, long first, long end) {
  public RowOrigin(Location file, long row) {
    this(file, row, row + 1);
  }

  /// Returns whether it may have been any of several rows.
  public boolean isRange() {
    return end > first + 1;
  }

  /// Returns the name of the row in an error: `row 5`, or `a row made of rows [5, 9)`.
  public String row() {
    return isRange() ? "a row made of rows [" + first + ", " + end + ")" : "row " + first;
  }

  public String place() {
    return row() + " of " + file;
  }
}
