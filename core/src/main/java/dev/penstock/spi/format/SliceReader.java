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
  /// @return the number of rows decoded, in `[1, maxRows]`, or 0 at the end of the run
  /// @throws dev.penstock.format.MalformedFileException if the file is truncated or corrupt here
  /// @throws IOException if the file cannot be read
  int next(int maxRows) throws IOException;

  /// Skips some rows. Pages without a needed row may stay undecoded, and so unchecked. The columns
  /// of the last slice are no longer valid.
  ///
  /// @param rows how many, at most the rows left
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

  /// {@return a column of the slice, with the number of rows that [#next] returned}
  ///
  /// @param index the index of the column in the schema that the reader was opened with
  ColumnSlice column(int index);

  /// Returns all working memory. May be called twice.
  @Override
  void close();
}
