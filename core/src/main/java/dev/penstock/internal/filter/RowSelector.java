package dev.penstock.internal.filter;

import dev.penstock.spi.format.BitNumbers;
import dev.penstock.spi.format.ColumnSlice;
import java.util.Arrays;
import java.util.function.Function;

/// Finds the rows of a slice for which a condition is true.
///
/// Made once for a condition, then used for slice after slice.
///
/// **Ownership.** Holds arrays that grow with the largest slice and the largest dictionary, and
/// keeps no column after a call except the last [dev.penstock.spi.format.TextDictionary] of each
/// condition on text, which is only compared by identity. One thread at a time.
public final class RowSelector {
  private final RowFilter root;
  private long[] rows = new long[0]; // bit i % 64 of word i / 64 for row i; none after the last
  private int rowCount;
  private int[] numbers = {};

  public RowSelector(Condition condition, FileRowNumbers file) {
    this.root = RowFilter.of(condition, file);
  }

  /// Finds the rows of a slice to keep, and returns how many. The slice's first row is counted from
  /// 0 in the file.
  ///
  /// `columns` returns, for a column's name or path as in the condition, its values, a slice of
  /// `rowCount` rows. It is called only while a row is left, and again for each test of the column.
  public int select(long firstRow, int rowCount, Function<String, ColumnSlice> columns) {
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
      root.keep(rows, new RowFilter.Slice(firstRow, rowCount, columns));
    }
    int kept = 0;
    for (int i = 0; i < words; i++) {
      kept += Long.bitCount(rows[i]);
    }
    return kept;
  }

  /// Returns the rows of the last slice that are kept: bit `i % 64` of word `i / 64` is set for row
  /// `i` if it is kept, and no bit after the last row; words after that are undefined. The
  /// selector's own array, valid until the next call of [#select].
  public long[] marks() {
    return rows;
  }

  /// Returns the numbers of the rows of the last slice that are kept, as many as [#select]
  /// returned, in ascending order; entries after them are undefined. The selector's own array,
  /// valid until the next call of [#select].
  public int[] numbers() {
    int words = RowFilter.words(rowCount);
    if (numbers.length < 64 * words + BitNumbers.STEP) {
      numbers = new int[64 * words + BitNumbers.STEP];
    }
    int found = 0;
    for (int word = 0; word < words; word++) {
      found = BitNumbers.write(rows[word], 64 * word, numbers, found);
    }
    return numbers;
  }
}
