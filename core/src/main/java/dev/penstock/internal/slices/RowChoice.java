package dev.penstock.internal.slices;

import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import java.io.IOException;

/// Says which of the next rows of a run a condition is true for: because it tests them, or because
/// that was done before.
///
/// **Ownership.** What it gives is its own and valid until the next call of [#look].
///
/// **Threads.** One at a time.
public sealed interface RowChoice permits TestedRows, KnownChoice {
  /// Looks at the next rows.
  ///
  /// @param first the first of them, counted from 0 in the file; behind those looked at before, or
  ///   where no columns are decoded for it, the first of these again
  /// @param most how many there are at most, at least 1
  /// @return how many were looked at, at least 1
  /// @throws IOException if the file cannot be read, is truncated or corrupt
  int look(long first, int most) throws IOException;

  /// Returns how many of the rows that were looked at are kept.
  ///
  /// @return at most as many as [#look] has returned
  int count();

  /// Returns the numbers of the rows that are kept.
  ///
  /// @return as many as [#count()] says, ascending, the first row that was looked at being 0; with
  ///   anything behind them
  int[] numbers();

  /// Returns the columns that were decoded to look at the rows.
  ///
  /// @return the columns; none where nothing had to be tested
  Schema columns();

  /// Returns one of these columns.
  ///
  /// @param index its place among them
  /// @return the values of all rows that were looked at
  ColumnSlice column(int index);

  /// Gives all memory back.
  ///
  /// @param end the row behind all that were looked at, and behind those after them that cannot
  ///   match
  void close(long end);
}
