package dev.penstock.spi.format;

import java.io.IOException;

/// Decodes a run of rows, a slice at a time.
///
/// **Ownership.** The columns of a slice are valid until the next call of [#next] or [#close]; the
/// reader reuses their memory.
///
/// **Threads.** One thread at a time.
///
/// **Errors.** After an exception only [#close] may be called.
public interface SliceReader extends AutoCloseable {
  /// Decodes the next rows of all columns.
  ///
  /// @param maxRows the most rows to decode, at least 1
  /// @return the rows decoded, in `[1, maxRows]`, or 0 when the run of rows is at its end
  /// @throws dev.penstock.format.MalformedFileException if the file is truncated or corrupt here
  /// @throws IOException if the file cannot be read
  int next(int maxRows) throws IOException;

  /// Goes on behind some rows without giving them; pages of which no row is needed may be left
  /// undecoded, and then unchecked. The columns of the last slice are no longer valid.
  ///
  /// @param rows how many, at most as many as are left
  /// @throws dev.penstock.format.MalformedFileException if the file is truncated or corrupt here
  /// @throws IOException if the file cannot be read
  default void skip(long rows) throws IOException {
    for (long left = rows; left > 0; ) {
      int skipped = next((int) Math.min(left, 8192));
      if (skipped == 0) {
        throw new IllegalArgumentException(
            "Cannot skip " + rows + " rows: only " + (rows - left) + " are left.");
      }
      left -= skipped;
    }
  }

  /// Returns a column of the slice.
  ///
  /// @param index the place of the column in the schema the reader was opened with
  /// @return the column, with as many rows as [#next] returned
  ColumnSlice column(int index);

  /// Gives all working memory back. May be called twice.
  @Override
  void close();
}
