package dev.penstock.format;

/// A run of rows that a file stores together.
///
/// @param rowCount its rows
/// @param bytes the size of all its columns, decompressed, in bytes as the file states it
public record RowGroup(long rowCount, long bytes) {
  /// Throws [IllegalArgumentException] if either is negative.
  public RowGroup {
    if (rowCount < 0 || bytes < 0) {
      throw new IllegalArgumentException(
          "Rows and bytes of a row group must not be negative, got " + rowCount + " and " + bytes);
    }
  }
}
