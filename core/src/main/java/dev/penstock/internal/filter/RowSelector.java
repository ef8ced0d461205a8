package dev.penstock.internal.filter;

import dev.penstock.format.ColumnSlice;
import java.util.Arrays;
import java.util.function.Function;

/// Finds the rows of a slice for which a condition is true.
///
/// Made once for a condition, then used for slice after slice. The answer is a bitmap: bit `i % 64`
/// of word `i / 64` of [#rows()] is set if row `i` is kept.
///
/// **Ownership.** Holds arrays that grow with the largest slice and the largest dictionary, and no
/// column beyond a call but the last [dev.penstock.format.Dictionary] of each condition on text,
/// which is compared by identity and no longer read.
///
/// **Threads.** One thread at a time.
public final class RowSelector {
  private final RowFilter root;
  private long[] rows = new long[0];
  private int rowCount;

  /// Prepares the tests of a condition.
  ///
  /// @param condition the condition
  public RowSelector(Condition condition) {
    this.root = RowFilter.of(condition);
  }

  /// Finds the rows to keep.
  ///
  /// @param rowCount the rows of the slice
  /// @param columns gives for a column's name or path, as the condition has it, its values: a slice
  ///   of `rowCount` rows; asked only while a row is left, and again for each test of the column
  /// @return how many rows are kept
  /// @throws IllegalArgumentException if a column has another type or number of rows than expected
  /// @throws IndexOutOfBoundsException if a column's memory is smaller than its rows need
  public int select(int rowCount, Function<String, ColumnSlice> columns) {
    int words = RowFilter.words(rowCount);
    if (rows.length < words) {
      rows = new long[words];
    }
    this.rowCount = rowCount;
    Arrays.fill(rows, 0, words, -1L);
    if (rowCount % 64 != 0) {
      rows[words - 1] = -1L >>> -rowCount;
    }
    if (words > 0) {
      root.keep(rows, rowCount, columns);
    }
    int kept = 0;
    for (int i = 0; i < words; i++) {
      kept += Long.bitCount(rows[i]);
    }
    return kept;
  }

  /// Returns which rows of the last slice are kept.
  ///
  /// @return one bit per row, least significant first; bits behind the last row are zero up to the
  ///   end of its word, words behind that are undefined. The selector's own array, valid until the
  ///   next call of [#select]
  public long[] rows() {
    return rows;
  }

  /// Returns how many rows the last slice had.
  ///
  /// @return the rows that [#rows()] tells about
  public int rowCount() {
    return rowCount;
  }
}
