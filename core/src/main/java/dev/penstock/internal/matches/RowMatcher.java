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
public sealed interface RowMatcher permits RecordingMatcher, KnownRange.KnownMatcher {
  /// Looks at the next rows, and returns how many, at least 1.
  ///
  /// @param first the first of them, counted from 0 in the file; after the rows looked at before,
  ///   or, where no columns are decoded for the test, the first of those again
  /// @param most how many there are at most, at least 1
  int look(long first, int most) throws IOException;

  /// Returns how many of the rows that were looked at are kept.
  int count();

  /// Returns [#count()] numbers of rows that are kept, in ascending order, counted from the first
  /// row that was looked at; entries after them are undefined.
  int[] numbers();

  /// Returns the columns that were decoded to test the rows; none where nothing had to be tested.
  Schema columns();

  ColumnSlice column(int index);

  /// Gives all memory back. No row before `end` that was not looked at can match.
  void close(long end);
}
