package dev.penstock.split;

/// The unit of reading: a file, or some of its rows.
///
/// @param file the file
/// @param firstRow the first row, counted from 0 in the file
/// @param rows how many rows; 0 only of a file without rows
public record FileSplit(DataFileInfo file, long firstRow, long rows) {
  /// Throws [IllegalArgumentException] if a number is negative or the end is beyond 63 bits.
  public FileSplit {
    if (firstRow < 0 || rows < 0 || firstRow > Long.MAX_VALUE - rows) {
      throw new IllegalArgumentException(
          "Rows of a FileSplit must be in [0, 2^63), got " + rows + " rows from " + firstRow + ".");
    }
  }

  /// {@return the split of a whole file}
  ///
  /// @param file the file
  public static FileSplit whole(DataFileInfo file) {
    return new FileSplit(file, 0, file.rows());
  }

  /// {@return the split of some rows of a file} They may start and end inside a row group.
  ///
  /// @param file the file
  /// @param offset the first row, counted from 0
  /// @param length how many rows, at least 1
  /// @throws IllegalArgumentException if the numbers are not a [RowRange]
  public static FileSplit of(DataFileInfo file, long offset, long length) {
    RowRange range = new RowRange(offset, length);
    return new FileSplit(file, range.offset(), range.length());
  }

  /// {@return the row after the last one, counted in the file}
  public long endRow() {
    return firstRow() + rows();
  }

  @Override
  public String toString() {
    return file.location() + " rows [" + firstRow() + ", " + endRow() + ")";
  }
}
