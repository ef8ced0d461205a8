package dev.penstock.internal.parquet;

import dev.penstock.format.ScratchMemory;
import java.lang.foreign.MemorySegment;

/// The repetition levels of a page: where rows begin, where the elements of their lists do, and the
/// elements of those.
///
/// An entry (a level, with or without a value) begins something of depth `k` if its level is `k` or
/// less: a row at depth 0, an element of the outermost list at depth 1, and so on. The innermost
/// elements begin at every entry.
///
/// [#choose] looks as far ahead as it must to find the end of a row; [#take] goes on behind the
/// entries that are used.
final class Repetition {
  /* One bitmap for each depth but the innermost, of the page's entries from `base` on, which is a
   * multiple of 64. Levels are decoded in blocks that are counted from the start of the page, so
   * that a damaged level fails the same row wherever a reader has started. */
  private static final int BLOCK = 512;

  private final int lists;
  private final int entriesPerRow;
  private final LevelRuns runs;
  private final Buffer[] begins;

  private int entries; // of the page
  private int base;
  private int scanned;
  private int at;
  private int rowsSeen; // in the page, as far as it is scanned
  private int statedRows;
  private long rowEntries; // of the last row, in the pages before

  private int begun;
  private int lastBegin;
  private boolean rowBehind;

  /// Makes the levels of a column in so many lists.
  ///
  /// @param lists how many, at least 1
  /// @param entriesPerRow the most entries of a row
  Repetition(int lists, int entriesPerRow, ScratchMemory memory) {
    this.lists = lists;
    this.entriesPerRow = entriesPerRow;
    this.runs = new LevelRuns(lists);
    this.begins = new Buffer[lists];
    for (int depth = 0; depth < lists; depth++) {
      begins[depth] = new Buffer(memory);
    }
  }

  /// Forgets the last chunk.
  void clear() {
    entries = 0;
    scanned = 0;
    at = 0;
    rowEntries = 0;
  }

  /// Starts on a page that is loaded.
  void startPage(PageReader pages) {
    pages.startRepetitionLevels(runs);
    entries = pages.valueCount;
    statedRows = pages.rowCount;
    base = 0;
    scanned = 0;
    at = 0;
    rowsSeen = 0;
  }

  /// Returns how many entries of the page are not taken yet.
  int left() {
    return entries - at;
  }

  /// Chooses entries for a slice, and returns how many to take: whole rows, or all the rest of the
  /// page.
  ///
  /// @param rows the rows that the slice has already; the last may go on here
  /// @param want how many it may have, at least 1
  /// @param budget the entries behind which it should end, unless it has no row yet
  int choose(int rows, int want, long budget) throws PageException {
    forget();
    begun = 0;
    lastBegin = -1;
    rowBehind = false;
    int left = left();
    for (int from = 0; from < left; from += 64) {
      int count = Math.min(64, left - from);
      scan(at + from + count);
      long word = word(0, from, count);
      int ones = Long.bitCount(word);
      int end = want - rows - begun;
      if (from + count > budget) {
        int fit = fit(word, budget - from);
        if (fit == 0 && lastBegin >= 0 && rows + begun > 1) {
          return beforeLastRow();
        }
        int least = rows + begun == 0 ? 1 : 0;
        end = Math.min(end, Math.max(fit - 1, least));
      }
      if (ones > end) {
        return end(from, word, end);
      }
      if (ones > 0) {
        begun += ones;
        lastBegin = from + 63 - Long.numberOfLeadingZeros(word);
      }
      checkRow(from + count);
    }
    return left;
  }

  /// Returns how many of the bits are at most at place `last`, which may be outside of them.
  private static int fit(long word, long last) {
    return last < 0 ? 0 : Long.bitCount(word & (-1L >>> (63 - last)));
  }

  /// Chooses to end before the row number `more`, from 0, that begins in the word of entries from
  /// `from`.
  private int end(int from, long word, int more) {
    begun += more;
    rowBehind = true;
    return from + Long.numberOfTrailingZeros(Long.expand(1L << more, word));
  }

  /// Returns how many rows begin in the entries chosen.
  int begun() {
    return begun;
  }

  /// Tells whether another row begins right behind the entries chosen.
  boolean rowBehind() {
    return rowBehind;
  }

  /// Returns how many of the entries chosen come before the last row that begins among them.
  int entriesBeforeLastRow() {
    return Math.max(0, lastBegin);
  }

  /// Chooses to end before the last row that begins in the entries chosen, and returns how many
  /// entries that leaves.
  int beforeLastRow() {
    begun--;
    rowBehind = true;
    return lastBegin;
  }

  private void checkRow(int end) throws PageException {
    long length = lastBegin < 0 ? rowEntries + end : end - lastBegin;
    if (length > entriesPerRow) {
      throw new PageException(
          "Unsupported Parquet row: it has more than "
              + entriesPerRow
              + " values in one column, which need more than 256 MiB. Write smaller rows.");
    }
  }

  /// Tells whether a row begins at the next entry, of which there is one.
  boolean atRow() throws PageException {
    forget();
    scan(at + 1);
    return word(0, 0, 1) != 0;
  }

  /// Goes behind the entries chosen.
  void take(int count) {
    if (rowBehind) {
      rowEntries = 0;
    } else {
      rowEntries = lastBegin < 0 ? rowEntries + count : count - lastBegin;
    }
    at += count;
  }

  /// Tells which of `count` entries, in `[1, 64]`, from the one `from` behind the next begin
  /// something of a depth: one bit each, those behind them zero.
  ///
  /// Only for entries that were chosen.
  long word(int depth, int from, int count) {
    return depth == lists
        ? -1L >>> (64 - count)
        : Bits.get(begins[depth].segment(), (long) at - base + from, count);
  }

  /// Drops the whole words of entries that were taken.
  private void forget() {
    int drop = (at - base) & -64;
    if (drop > 0) {
      long bytes = Bits.bytes(scanned - base - drop);
      for (Buffer bitmap : begins) {
        MemorySegment segment = bitmap.segment();
        MemorySegment.copy(segment, drop >>> 3, segment, 0, bytes);
      }
      base += drop;
    }
  }

  /// Decodes levels up to entry `end` of the page at least.
  private void scan(int end) throws PageException {
    while (scanned < end) {
      int stop = (int) Math.min(entries, ((long) scanned & -BLOCK) + BLOCK);
      for (Buffer bitmap : begins) {
        bitmap.grow(Bits.bytes(stop - base), Bits.bytes(scanned - base));
      }
      while (scanned < stop) {
        int count = runs.next(stop - scanned);
        append(count);
        scanned += count;
      }
      checkRowCount();
    }
  }

  private void append(int count) {
    long to = (long) scanned - base;
    int level = runs.level();
    for (int depth = 0; depth < lists; depth++) {
      MemorySegment bitmap = begins[depth].segment();
      if (level >= 0) {
        Bits.fill(bitmap, to, level <= depth ? -1L : 0, count);
      } else {
        Bits.append(bitmap, to, ~runs.atLeast(depth + 1), count);
      }
    }
    rowsSeen += level < 0 ? Bits.count(begins[0].segment(), to, count) : level == 0 ? count : 0;
  }

  private void checkRowCount() throws PageException {
    if (scanned == entries && statedRows >= 0 && rowsSeen != statedRows) {
      throw new PageException(
          "Corrupt Parquet page: its levels have "
              + rowsSeen
              + " rows but its header says "
              + statedRows
              + ".");
    }
  }

  void release() {
    for (Buffer bitmap : begins) {
      bitmap.release();
    }
  }
}
