package dev.penstock.internal.matches;

import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import java.io.IOException;

/// Decides for which of the next rows of a run a condition is true, by testing them or from an
/// earlier test.
///
/// **Ownership.** It owns what it returns, which is valid until the next call of [#look].
///
/// **Threads.** One at a time.
public sealed interface RowMatcher permits RecordingMatcher, KnownMatcher {
  /// Looks at the next rows.
  ///
  /// @param first the first of them, counted from 0 in the file; after the rows looked at before,
  ///   or, where no columns are decoded for the test, the first of those again
  /// @param most how many there are at most, at least 1
  /// @return how many were looked at, at least 1
  /// @throws IOException if the file cannot be read, is truncated or corrupt
  int look(long first, int most) throws IOException;

  /// Returns how many of the rows that were looked at are kept.
  ///
  /// @return at most the result of [#look]
  int count();

  /// Returns the numbers of the rows that are kept.
  ///
  /// @return [#count()] numbers in ascending order, counted from the first row that was looked at;
  ///   entries after them are undefined
  int[] numbers();

  /// Returns the columns that were decoded to test the rows.
  ///
  /// @return the columns; none where nothing had to be tested
  Schema columns();

  /// Returns one of these columns.
  ///
  /// @param index its place among them
  ColumnSlice column(int index);

  /// Gives all memory back.
  ///
  /// @param end the row after all that were looked at, and after following rows that cannot match
  void close(long end);
}
