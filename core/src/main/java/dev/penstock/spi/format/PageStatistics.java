package dev.penstock.spi.format;

/// What is known about the values of one column in a run of rows of a row group.
///
/// @param firstRow the first of the rows, counted from 0 in the row group
/// @param rowCount the number of rows, which are `[firstRow, firstRow + rowCount)`; may be 0
/// @param statistics what is known about their values
public record PageStatistics(long firstRow, long rowCount, ColumnStatistics statistics) {
  /// Throws [IllegalArgumentException] if a number is negative.
  public PageStatistics {
    if (firstRow < 0 || rowCount < 0) {
      throw new IllegalArgumentException(
          "Rows of a page must not be negative, got " + firstRow + " and " + rowCount);
    }
  }
}
