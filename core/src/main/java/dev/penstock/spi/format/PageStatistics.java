package dev.penstock.spi.format;

/// What is known of the values of one column in some neighbouring rows of a row group.
///
/// @param firstRow the first of the rows, counted from 0 in the row group
/// @param rowCount how many rows, that is `[firstRow, firstRow + rowCount)`; may be 0
/// @param statistics what is known of their values
public record PageStatistics(long firstRow, long rowCount, ColumnStatistics statistics) {
  /// Checks the range.
  ///
  /// @throws IllegalArgumentException if it starts or has less than 0
  public PageStatistics {
    if (firstRow < 0 || rowCount < 0) {
      throw new IllegalArgumentException(
          "Rows of a page must not be negative, got " + firstRow + " and " + rowCount);
    }
  }
}
