package dev.penstock.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// Which of neighbouring rows of a file match a filter, or are left of those that were written: at
/// most a bit for each row, and 16 for each match where few do.
///
/// Filled from the first row to the last, then asked.
///
/// **Threads.** One at a time fills; once all rows were looked at, any may ask.
public final class RowSet {
  private static final int CHUNK_ROWS = 1 << 16;

  /// Up to so many matches of a chunk their numbers take less than a bit for each row.
  private static final int FEW_MAX = CHUNK_ROWS / 16;

  private static final char[] NONE = {};

  /// So many rows that their numbers have 16 bits.
  private static final class Chunk {
    private final long before;
    private final char @Nullable [] few;
    private final long @Nullable [] bits;

    /// Makes a chunk.
    ///
    /// @param before the matches before it
    /// @param few its matches; null where they are not few
    /// @param bits a bit for each row; null where they are few, or all rows match
    Chunk(long before, char @Nullable [] few, long @Nullable [] bits) {
      this.before = before;
      this.few = few;
      this.bits = bits;
    }

    int before(int row) {
      if (few != null) {
        int found = Arrays.binarySearch(few, (char) row);
        return found < 0 ? -found - 1 : found;
      }
      if (bits == null) {
        return row;
      }
      int rows = 0;
      for (int word = 0; word < row >>> 6; word++) {
        rows += Long.bitCount(bits[word]);
      }
      return rows + Long.bitCount(bits[row >>> 6] & ((1L << row) - 1));
    }

    int row(int match) {
      if (few != null) {
        return few[match];
      }
      if (bits == null) {
        return match;
      }
      int left = match;
      int word = 0;
      while (left >= Long.bitCount(bits[word])) {
        left -= Long.bitCount(bits[word]);
        word++;
      }
      long rest = bits[word];
      for (; left > 0; left--) {
        rest &= rest - 1;
      }
      return word * 64 + Long.numberOfTrailingZeros(rest);
    }
  }

  private final long firstRow;
  private final List<Chunk> chunks = new ArrayList<>();
  private final long[] open = new long[CHUNK_ROWS / 64];
  private int openCount;
  private long count;
  private long end;

  /// Makes a set of no rows.
  ///
  /// @param firstRow the first row that will be looked at
  public RowSet(long firstRow) {
    this.firstRow = firstRow;
    this.end = firstRow;
  }

  /// Adds the matches among the next rows. Rows that were looked at before do not count again.
  ///
  /// @param rows the matches, ascending
  /// @param rowCount how many they are
  /// @param lookedAt the row behind all that were looked at
  public void add(long[] rows, int rowCount, long lookedAt) {
    for (int i = 0; i < rowCount; i++) {
      if (rows[i] >= end) {
        long row = rows[i] - firstRow;
        close(row / CHUNK_ROWS);
        open[(int) (row % CHUNK_ROWS) >>> 6] |= 1L << row;
        openCount++;
        count++;
      }
    }
    end = Math.max(end, lookedAt);
    close((end - firstRow) / CHUNK_ROWS);
  }

  /// Adds neighbouring rows, behind all that were looked at.
  ///
  /// @param from the first row
  /// @param to the row behind the last; all before it are looked at then
  public void addRange(long from, long to) {
    for (long row = Math.max(from, end) - firstRow; row < to - firstRow; ) {
      close(row / CHUNK_ROWS);
      int place = (int) (row % CHUNK_ROWS);
      int rows = (int) Math.min(to - firstRow - row, 64 - place % 64);
      open[place >>> 6] |= (-1L >>> (64 - rows)) << place;
      openCount += rows;
      count += rows;
      row += rows;
    }
    end = Math.max(end, to);
    close((end - firstRow) / CHUNK_ROWS);
  }

  /// Adds those of neighbouring rows, behind all that were looked at, that are not marked.
  ///
  /// @param from the first row, not before any that was looked at
  /// @param marks a bit for each row, the lowest of each word first
  /// @param rowCount how many rows
  public void addUnmarked(long from, long[] marks, int rowCount) {
    for (int at = 0; at < rowCount; at += 64) {
      long unmarked = ~marks[at >>> 6] & -1L >>> Math.max(0, 64 - (rowCount - at));
      long row = from - firstRow + at;
      int shift = (int) row & 63;
      addWord(row - shift, unmarked << shift);
      if (shift > 0 && unmarked >>> (64 - shift) != 0) {
        addWord(row - shift + 64, unmarked >>> (64 - shift));
      }
    }
    end = Math.max(end, from + rowCount);
    close((end - firstRow) / CHUNK_ROWS);
  }

  /// Adds rows whose bits are one word of the set's.
  private void addWord(long row, long bits) {
    close(row / CHUNK_ROWS);
    open[(int) (row % CHUNK_ROWS) >>> 6] |= bits;
    openCount += Long.bitCount(bits);
    count += Long.bitCount(bits);
  }

  /// Returns all rows of a file but some.
  ///
  /// @param rowCount how many rows the file has
  /// @param without the others, ascending, all below `rowCount`
  /// @return the finished set
  public static RowSet allBut(long rowCount, LongStream without) {
    RowSet rows = new RowSet(0);
    long[] next = {0};
    without.forEachOrdered(gone -> {
      rows.addRange(next[0], gone);
      next[0] = gone + 1;
    });
    rows.addRange(next[0], rowCount);
    rows.finish();
    return rows;
  }

  /// Takes note that all rows were looked at.
  public void finish() {
    close(Math.ceilDiv(end - firstRow, CHUNK_ROWS));
  }

  private void close(long before) {
    while (chunks.size() < before) {
      chunks.add(new Chunk(count - openCount, few(), bits()));
      Arrays.fill(open, 0);
      openCount = 0;
    }
  }

  private char @Nullable [] few() {
    if (openCount > FEW_MAX) {
      return null;
    }
    char[] few = openCount == 0 ? NONE : new char[openCount];
    int found = 0;
    for (int word = 0; found < openCount; word++) {
      for (long left = open[word]; left != 0; left &= left - 1) {
        few[found++] = (char) (word * 64 + Long.numberOfTrailingZeros(left));
      }
    }
    return few;
  }

  private long @Nullable [] bits() {
    return openCount <= FEW_MAX || openCount == CHUNK_ROWS ? null : open.clone();
  }

  /// Returns how many rows match.
  ///
  /// @return the size of the set
  public long count() {
    return count;
  }

  /// Returns how many rows before one match.
  ///
  /// @param row a row of the file, not before the first
  /// @return the matches before it
  public long before(long row) {
    long place = row - firstRow;
    int number = (int) Math.min(place / CHUNK_ROWS, chunks.size());
    if (number == chunks.size()) {
      return count;
    }
    Chunk chunk = chunks.get(number);
    return chunk.before + chunk.before((int) (place % CHUNK_ROWS));
  }

  /// Finds the matches among neighbouring rows.
  ///
  /// @param from the first row of the file
  /// @param to the row behind the last
  /// @param found where the matches go, ascending, each less `from`
  /// @return how many there are
  public int between(long from, long to, int[] found) {
    int matches = 0;
    for (long row = from - firstRow; row < to - firstRow; ) {
      int number = (int) (row / CHUNK_ROWS);
      long chunkStart = (long) number * CHUNK_ROWS;
      long stop = Math.min(to - firstRow, chunkStart + CHUNK_ROWS);
      Chunk chunk = chunks.get(number);
      long[] bits = chunk.bits;
      if (chunk.few != null) {
        for (int i = chunk.before((int) (row - chunkStart)); i < chunk.few.length; i++) {
          long match = chunkStart + chunk.few[i];
          if (match >= stop) {
            break;
          }
          found[matches++] = (int) (match - (from - firstRow));
        }
        row = stop;
      } else if (bits == null) {
        for (; row < stop; row++) {
          found[matches++] = (int) (row - (from - firstRow));
        }
      } else {
        for (; row < stop; row = (row | 63) + 1) {
          int word = (int) (row - chunkStart) >>> 6;
          long left = bits[word] & (-1L << row);
          long behind = stop - (row & ~63L);
          left &= behind >= 64 ? -1L : (1L << behind) - 1;
          for (long start = (row & ~63L) - (from - firstRow); left != 0; left &= left - 1) {
            found[matches++] = (int) (start + Long.numberOfTrailingZeros(left));
          }
        }
      }
    }
    return matches;
  }

  /// Returns where a match is.
  ///
  /// @param match its number, in `[0, count())`
  /// @return its row in the file
  public long row(long match) {
    int low = 0;
    int high = chunks.size() - 1;
    while (low < high) { // the last chunk that starts at the match or before, and has one
      int middle = (low + high + 1) >>> 1;
      if (chunks.get(middle).before <= match) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    Chunk chunk = chunks.get(low);
    return firstRow + (long) low * CHUNK_ROWS + chunk.row((int) (match - chunk.before));
  }
}
