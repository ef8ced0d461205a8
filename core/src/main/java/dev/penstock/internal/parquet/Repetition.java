package dev.penstock.internal.parquet;

import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.internal.parquet.page.Page;
import dev.penstock.internal.parquet.page.PageHeader;
import java.util.Arrays;

/// The repetition levels of a page: where rows begin, where the elements of their lists do, and the
/// elements of those.
///
/// An entry (a level, with or without a value) begins something of depth `k` if its level is `k` or
/// less: a row at depth 0, an element of the outermost list at depth 1, and so on. The innermost
/// elements begin at every entry.
///
/// [#choose] looks as far ahead as it must to find the end of a row; [#take] goes on behind the
/// entries that were chosen.
final class Repetition {
  /* Rows are kept as numbers, so that a run of entries within one costs nothing; depths between rows
   * and the innermost elements as one bitmap each, of the page's entries from `base` on, which is a
   * multiple of 64. Levels are decoded in blocks that are counted from the start of the page, so
   * that a damaged level fails the same row wherever a reader has started. */
  private static final int BLOCK = 512;

  private final int lists;
  private final int entriesPerRow;
  private final LevelRuns runs;
  private final Bitmap[] begins; // by depth; that of rows is of marked entries only

  private int entries; // of the page
  private int statedRows; // of the page, or -1
  private int scanned;
  private int base;
  private int at; // the next entry
  private int[] rows = {}; // where those behind `at` begin, as far as it is scanned
  private int rowCount;
  private int rowsSeen; // in the page, as far as it is scanned
  private long rowEntries; // of the last row, in the pages before; it may go on at `at`

  private int chosen;
  private int begun;
  private boolean rowBehind;
  private int marked; // the first of the entries chosen whose rows are marked

  /// Makes the levels of a column in so many lists.
  ///
  /// @param lists how many, at least 1
  /// @param entriesPerRow the most entries of a row
  Repetition(int lists, int entriesPerRow) {
    this.lists = lists;
    this.entriesPerRow = entriesPerRow;
    this.runs = new LevelRuns(lists);
    this.begins = new Bitmap[lists];
    Arrays.setAll(begins, _ -> new Bitmap());
  }

  /// Starts on a page that is loaded.
  void startPage(Page page) {
    PageHeader header = page.header();
    runs.start(page.repetition(), header.levels().repetition(), header.valueCount());
    entries = header.valueCount();
    statedRows = header.rowCount();
    scanned = 0;
    base = 0;
    at = 0;
    rowCount = 0;
    rowsSeen = 0;
  }

  /// Tells whether a row begins at the next entry, of which there is one.
  boolean atRow() throws PageException {
    if (scanned == at) {
      scan();
    }
    return rowCount > 0 && rows[0] == at;
  }

  /// Returns how many rows begin in the page.
  int pageRows() throws PageException {
    while (scanned < entries) {
      scan();
    }
    return rowsSeen;
  }

  /// Chooses entries for a slice, and returns how many: whole rows, or all the rest of the page.
  ///
  /// @param sliceRows the rows that the slice has already; the last may go on here
  /// @param want how many it may have, at least 1
  /// @param budget the entries behind which it should end, unless it would have no row
  int choose(int sliceRows, int want, int budget) throws PageException {
    long limit = (long) at + budget;
    int most = want - sliceRows;
    int least = sliceRows == 0 ? 1 : 0; // cuts before the first row make no slice
    while (scanned < entries && rowCount <= most && (scanned <= limit || rowCount <= least)) {
      scan();
    }
    if (rowCount <= least || (rowCount <= most && entries <= limit)) {
      begun = rowCount;
      chosen = entries - at;
      rowBehind = false;
    } else {
      cut(Math.clamp(rowsUpTo(limit) - 1, least, Math.min(most, rowCount - 1)));
    }
    return chosen;
  }

  /// Returns how many of the rows that are known begin at or before an entry.
  private int rowsUpTo(long entry) {
    if (entry >= entries) {
      return rowCount;
    }
    int found = Arrays.binarySearch(rows, 0, rowCount, (int) entry);
    return found < 0 ? -found - 1 : found + 1;
  }

  /// Chooses the entries before row `row` of those that are known.
  private void cut(int row) {
    begun = row;
    chosen = rows[row] - at;
    rowBehind = true;
  }

  /// Returns how many of the entries chosen come before the last row that begins among them.
  int entriesBeforeLastRow() {
    return begun == 0 ? 0 : rows[begun - 1] - at;
  }

  /// Chooses to end before the last row that begins in the entries chosen, and returns how many
  /// entries that leaves.
  int beforeLastRow() {
    cut(begun - 1);
    return chosen;
  }

  /// Returns how many rows begin in the entries chosen.
  int begun() {
    return begun;
  }

  /// Returns which of the entries chosen begins row `row` of them, the first being 0.
  int rowStart(int row) {
    return rows[row] - at;
  }

  /// Tells whether another row begins right behind the entries chosen.
  boolean rowBehind() {
    return rowBehind;
  }

  /// Goes behind the entries chosen.
  void take() {
    if (rowBehind) {
      rowEntries = 0;
    } else {
      rowEntries = begun == 0 ? rowEntries + chosen : chosen - rowStart(begun - 1);
    }
    at += chosen;
    rowCount -= begun;
    System.arraycopy(rows, begun, rows, 0, rowCount);
    int drop = (at - base) >>> 6;
    for (int depth = 1; depth < lists && drop > 0; depth++) {
      begins[depth].drop(drop, (long) scanned - base);
    }
    base += drop << 6;
  }

  /// Makes `count` of the entries chosen, from the one `from` behind the first, ready to be asked
  /// by [#word] for depth 0.
  void markRows(int from, int count) {
    Bitmap bits = begins[0];
    bits.expect(count);
    bits.fill(0, 0, count);
    marked = from;
    int row = Arrays.binarySearch(rows, 0, begun, at + from);
    for (row = row < 0 ? -row - 1 : row; row < begun && rowStart(row) < from + count; row++) {
      bits.mark(rowStart(row) - from);
    }
  }

  /// Tells which of `count` entries, in `[1, 64]`, from the one `from` behind the first chosen
  /// begin something of a depth: one bit each, those behind them zero.
  long word(int depth, int from, int count) {
    if (depth == lists) {
      return -1L >>> (64 - count);
    }
    return depth == 0
        ? begins[0].get((long) from - marked, count)
        : begins[depth].get((long) at - base + from, count);
  }

  /// Decodes the next block of levels, of which there is one.
  private void scan() throws PageException {
    int stop = (int) Math.min(entries, ((long) scanned & -BLOCK) + BLOCK);
    if (rows.length < rowCount + BLOCK) {
      rows = Arrays.copyOf(rows, 2 * rowCount + BLOCK);
    }
    for (int depth = 1; depth < lists; depth++) {
      begins[depth].expect((long) stop - base);
    }
    int rowsBefore = rowCount;
    while (scanned < stop) {
      int count = runs.next(stop - scanned);
      append(count);
      scanned += count;
    }
    rowsSeen += rowCount - rowsBefore;
    checkRow();
  }

  private void append(int count) {
    int level = runs.level();
    if (level < 0) {
      long row = ~runs.atLeast(1) & (-1L >>> (64 - count));
      for (; row != 0; row &= row - 1) {
        rows[rowCount++] = scanned + Long.numberOfTrailingZeros(row);
      }
    } else if (level == 0) {
      for (int i = 0; i < count; i++) {
        rows[rowCount++] = scanned + i;
      }
    }
    long to = (long) scanned - base;
    for (int depth = 1; depth < lists; depth++) {
      if (level < 0) {
        begins[depth].set(to, ~runs.atLeast(depth + 1), count);
      } else {
        begins[depth].fill(to, level <= depth ? -1L : 0, count);
      }
    }
  }

  private void checkRow() throws PageException {
    long length = rowCount == 0 ? rowEntries + scanned - at : scanned - rows[rowCount - 1];
    if (length > entriesPerRow) {
      throw new PageException(
          "Unsupported Parquet row: it has more than "
              + entriesPerRow
              + " values in one column, which need more than 256 MiB. Write smaller rows.");
    }
    if (scanned == entries && statedRows >= 0 && rowsSeen != statedRows) {
      throw new PageException(
          "Corrupt Parquet page: its levels have "
              + rowsSeen
              + " rows but its header says "
              + statedRows
              + ".");
    }
  }
}
