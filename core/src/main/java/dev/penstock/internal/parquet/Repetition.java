package dev.penstock.internal.parquet;

import dev.penstock.internal.parquet.footer.PageException;
import dev.penstock.internal.parquet.page.Page;
import dev.penstock.internal.parquet.page.PageHeader;
import java.util.Arrays;

/// The repetition levels of a page: where rows begin, where the elements of their lists begin, and
/// so on inwards.
///
/// An entry (a level, with or without a value) begins something of depth `k` if its level is `k` or
/// less: a row at depth 0, an element of the outermost list at depth 1, and so on. The innermost
/// elements begin at every entry.
///
/// [#choose] looks ahead until it finds the end of a row; [#take] moves past the chosen entries.
final class Repetition {
  /* The starts of rows are kept as numbers, so that a run of entries within a row costs nothing.
   * Depths between rows and the innermost elements are kept as one bitmap each, of the page's
   * entries from `base` on, which is a multiple of 64. Levels are decoded in blocks counted from
   * the start of the page, so that a damaged level fails the same row wherever a reader started. */
  private static final int BLOCK = 512;

  private final int lists;
  private final int entriesPerRow;
  private final LevelRuns runs;
  private final Bitmap[] begins; // by depth; the one of rows has only marked entries

  private int entries; // in the page
  private int statedRows; // in the page, or -1
  private int scanned;
  private int base;
  private int at; // the next entry
  private int[] rows = {}; // where scanned rows after `at` begin
  private int rowCount;
  private int rowsSeen; // in the scanned part of the page
  private long rowEntries; // entries of the last row so far; it may continue at `at`

  private int chosen;
  int begun; // how many rows begin among the chosen entries
  boolean rowBehind; // another row begins right after the chosen entries
  private int marked; // the first chosen entry whose rows are marked

  /// Makes the levels of a column in at least one list, and with a limit of entries in a row.
  Repetition(int lists, int entriesPerRow) {
    this.lists = lists;
    this.entriesPerRow = entriesPerRow;
    this.runs = new LevelRuns(lists);
    this.begins = new Bitmap[lists];
    Arrays.setAll(begins, _ -> new Bitmap());
  }

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

  /// Returns whether a row begins at the next entry, which must exist.
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

  /// Chooses entries for a slice: whole rows, or the rest of the page. Returns how many. The last
  /// of the slice's rows may continue here; `want` of at least 1 is how many it may have. It should
  /// end after `budget` entries, unless it would then have no row.
  int choose(int sliceRows, int want, int budget) throws PageException {
    long limit = (long) at + budget;
    int most = want - sliceRows;
    int least = sliceRows == 0 ? 1 : 0; // a cut before the first row would make an empty slice
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

  /// Returns how many of the known rows begin at or before an entry.
  private int rowsUpTo(long entry) {
    if (entry >= entries) {
      return rowCount;
    }
    int found = Arrays.binarySearch(rows, 0, rowCount, (int) entry);
    return found < 0 ? -found - 1 : found + 1;
  }

  /// Chooses the entries before known row `row`.
  private void cut(int row) {
    begun = row;
    chosen = rows[row] - at;
    rowBehind = true;
  }

  /// Returns how many chosen entries come before the last row that begins among them.
  int entriesBeforeLastRow() {
    return begun == 0 ? 0 : rows[begun - 1] - at;
  }

  /// Drops the last row that begins among the chosen entries, and returns how many entries are
  /// left.
  int beforeLastRow() {
    cut(begun - 1);
    return chosen;
  }

  /// Returns the index, among the chosen entries, at which their row `row` begins.
  int rowStart(int row) {
    return rows[row] - at;
  }

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

  /// Prepares `count` chosen entries, from index `from` on, for [#word] at depth 0.
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

  /// Returns which of `count` entries, in `[1, 64]`, from chosen entry `from` on, begin something
  /// of a depth: one bit each; higher bits are zero.
  long word(int depth, int from, int count) {
    if (depth == lists) {
      return -1L >>> (64 - count);
    }
    return depth == 0
        ? begins[0].get((long) from - marked, count)
        : begins[depth].get((long) at - base + from, count);
  }

  /// Decodes the next block of levels, which must exist.
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
    int level = runs.level;
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
      throw PageException.of(
          "Corrupt Parquet page: its levels have %s rows but its header says %s.",
          rowsSeen, statedRows);
    }
  }
}
