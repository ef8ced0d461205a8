package dev.penstock.split;

import java.util.Optional;

/// The unit of reading: a file, or some of its rows.
///
/// @param file the file
/// @param rowRange the rows, or empty for the whole file
public record FileSplit(DataFileInfo file, Optional<RowRange> rowRange) {
  /// Returns the split of a whole file.
  ///
  /// @param file the file
  /// @return the split
  public static FileSplit whole(DataFileInfo file) {
    return new FileSplit(file, Optional.empty());
  }

  /// Returns the split of some rows of a file. They may start and end inside a row group.
  ///
  /// @param file the file
  /// @param offset the first row, counted from 0
  /// @param length how many rows, at least 1
  /// @return the split
  /// @throws IllegalArgumentException if the numbers are not a [RowRange]
  public static FileSplit of(DataFileInfo file, long offset, long length) {
    return new FileSplit(file, Optional.of(new RowRange(offset, length)));
  }

  /// Returns the first row.
  ///
  /// @return a row number of the file
  public long firstRow() {
    return rowRange.map(RowRange::offset).orElse(0L);
  }

  /// Returns how many rows the split has.
  ///
  /// @return the range's length, or the file's rows
  public long rows() {
    return rowRange.map(RowRange::length).orElseGet(file::rows);
  }

  /// Returns the row after the last.
  ///
  /// @return a row number of the file
  public long endRow() {
    return firstRow() + rows();
  }

  @Override
  public String toString() {
    return file.location() + " rows [" + firstRow() + ", " + endRow() + ")";
  }
}
