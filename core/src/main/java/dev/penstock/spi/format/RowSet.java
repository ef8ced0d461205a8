package dev.penstock.spi.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// A set of rows in a range of a file, such as those that match a filter or were not deleted. It
/// takes at most one bit per row, or 16 bits per match where few rows match.
///
/// Fill it from the first row to the last, then query it.
///
/// **Threads.** One at a time fills it; once it is finished, any may query it.
public final class RowSet {
  /// How many elements [#between] may overwrite after the last match.
  public static final int ROOM = BitNumbers.STEP;

  private static final int CHUNK_ROWS = 1 << 16;

  /// If at most one in this many rows of a chunk matches, row numbers take less space than bits.
  private static final int FEW_PARTS = 16;

  /// Matches are precounted per block of this many words.
  private static final int BLOCK_WORDS = 16;

  /// Approximate size of a chunk without its matches.
  private static final long CHUNK_BYTES = 64;

  private static final char[] NONE = {};

  /// A run of rows, short enough for 16-bit row numbers.
  private static final class Chunk {
    private final long before;
    private final char @Nullable [] few;
    private final long @Nullable [] bits;
    private final char[] counts; // how many bits are set before each block of words

    /// Makes a chunk.
    ///
    /// @param before the number of matches before it
    /// @param few its matches; null if they are not few
    /// @param bits a bit for each row; null if matches are few, or all rows match
    Chunk(long before, char @Nullable [] few, long @Nullable [] bits) {
      this.before = before;
      this.few = few;
      this.bits = bits;
      this.counts = bits == null ? NONE : counts(bits);
    }

    private static char[] counts(long[] bits) {
      char[] counts = new char[Math.ceilDiv(bits.length, BLOCK_WORDS)];
      for (int block = 1; block < counts.length; block++) {
        int start = (block - 1) * BLOCK_WORDS;
        counts[block] = (char) (counts[block - 1] + count(bits, start, start + BLOCK_WORDS));
      }
      return counts;
    }

    private static int count(long[] bits, int from, int to) {
      int count = 0;
      for (int word = from; word < to; word++) {
        count += Long.bitCount(bits[word]);
      }
      return count;
    }

    long bytes() {
      return CHUNK_BYTES
          + (few == null ? 0 : Character.BYTES * (long) few.length)
          + (bits == null ? 0 : Long.BYTES * (long) bits.length)
          + Character.BYTES * (long) counts.length;
    }

    int before(int row) {
      if (few != null) {
        int found = Arrays.binarySearch(few, (char) row);
        return found < 0 ? -found - 1 : found;
      }
      if (bits == null) {
        return row;
      }
      int word = row >>> 6;
      int block = word / BLOCK_WORDS;
      return counts[block]
          + count(bits, block * BLOCK_WORDS, word)
          + Long.bitCount(bits[word] & ((1L << row) - 1));
    }

    int row(int match) {
      if (few != null) {
        return few[match];
      }
      if (bits == null) {
        return match;
      }
      int block = 0;
      while (block + 1 < counts.length && counts[block + 1] <= match) {
        block++;
      }
      int left = match - counts[block];
      int word = block * BLOCK_WORDS;
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
  private long[] open = new long[CHUNK_ROWS / 64];
  private long nextChunk = CHUNK_ROWS; // where the open chunk ends, counted from the first row
  private int openCount;
  private long count;
  private long end;

  /// Makes an empty set.
  ///
  /// @param firstRow the first row of the range
  public RowSet(long firstRow) {
    this.firstRow = firstRow;
    this.end = firstRow;
  }

  /// Adds the matches among the next rows. Rows that were covered before do not count again.
  ///
  /// @param rows the matches, ascending
  /// @param rowCount the number of matches
  /// @param lookedAt the row after the last row covered
  public void add(long[] rows, int rowCount, long lookedAt) {
    int i = 0;
    while (i < rowCount && rows[i] < end) {
      i++;
    }
    while (i < rowCount) {
      long first = rows[i] - firstRow & ~63L;
      long bits = 0;
      for (; i < rowCount && rows[i] - firstRow - first < 64; i++) {
        bits |= 1L << (rows[i] - firstRow);
      }
      addWord(first, bits);
    }
    end = Math.max(end, lookedAt);
    close((end - firstRow) / CHUNK_ROWS);
  }

  /// Adds a run of rows after all covered rows.
  ///
  /// @param from the first row
  /// @param to the row after the last; all rows before it are then covered
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

  /// Adds the marked rows of a run of rows after all covered rows.
  ///
  /// @param from the first row, not before any covered row
  /// @param marks a bit for each row, the lowest of each word first
  /// @param rowCount how many rows
  public void addMarked(long from, long[] marks, int rowCount) {
    addWords(from, marks, 0, rowCount);
  }

  /// Adds the unmarked rows of a run of rows after all covered rows.
  ///
  /// @param from the first row, not before any covered row
  /// @param marks a bit for each row, the lowest of each word first
  /// @param rowCount how many rows
  public void addUnmarked(long from, long[] marks, int rowCount) {
    addWords(from, marks, -1, rowCount);
  }

  /// Adds rows by their marks.
  ///
  /// @param flip -1 to add unmarked rows, else 0
  private void addWords(long from, long[] marks, long flip, int rowCount) {
    int shift = (int) (from - firstRow) & 63;
    long row = from - firstRow - shift;
    long carried = 0; // the bits of a word that belong to the set's next word
    for (int at = 0; at < rowCount; at += 64, row += 64) {
      long added = (marks[at >>> 6] ^ flip) & -1L >>> Math.max(0, 64 - (rowCount - at));
      addWord(row, carried | added << shift);
      carried = shift == 0 ? 0 : added >>> (64 - shift);
    }
    if (carried != 0) {
      addWord(row, carried);
    }
    end = Math.max(end, from + rowCount);
    close((end - firstRow) / CHUNK_ROWS);
  }

  /// Adds rows whose bits are one word of the set's.
  private void addWord(long row, long bits) {
    if (row >= nextChunk) {
      close(row / CHUNK_ROWS);
    }
    int added = Long.bitCount(bits);
    open[(int) row >>> 6 & (CHUNK_ROWS / 64 - 1)] |= bits;
    openCount += added;
    count += added;
  }

  /// {@return the finished set of all rows of a file except some}
  ///
  /// @param rowCount how many rows the file has
  /// @param without the excluded rows, ascending, all below `rowCount`
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

  /// Finishes the set: all rows are covered. Calling it again does nothing.
  public void finish() {
    if (open.length > 0) {
      long rows = end - firstRow;
      close(rows / CHUNK_ROWS);
      if (rows % CHUNK_ROWS > 0) {
        close((int) (rows % CHUNK_ROWS));
      }
      open = new long[0];
    }
  }

  private void close(long before) {
    while (chunks.size() < before) {
      close(CHUNK_ROWS);
    }
  }

  /// Closes the open chunk, which has this many rows.
  private void close(int rows) {
    char[] few = null;
    long[] bits = null;
    if (openCount <= rows / FEW_PARTS) {
      few = few();
    } else if (openCount < rows) {
      bits = Arrays.copyOf(open, Math.ceilDiv(rows, 64));
    }
    chunks.add(new Chunk(count - openCount, few, bits));
    Arrays.fill(open, 0);
    openCount = 0;
    nextChunk += CHUNK_ROWS;
  }

  private char[] few() {
    char[] few = openCount == 0 ? NONE : new char[openCount];
    int found = 0;
    for (int word = 0; found < openCount; word++) {
      for (long left = open[word]; left != 0; left &= left - 1) {
        few[found++] = (char) (word * 64 + Long.numberOfTrailingZeros(left));
      }
    }
    return few;
  }

  /// {@return approximately how many bytes of memory the set takes}
  public long bytes() {
    return chunks.stream().mapToLong(Chunk::bytes).sum();
  }

  /// {@return how many rows match}
  public long count() {
    return count;
  }

  /// {@return how many rows before a row match}
  ///
  /// @param row a row of the file, not before the first row of the range
  public long before(long row) {
    if (row >= end) {
      return count;
    }
    long place = row - firstRow;
    int number = (int) (place / CHUNK_ROWS);
    Chunk chunk = chunks.get(number);
    return chunk.before + chunk.before((int) (place % CHUNK_ROWS));
  }

  /// Finds the matches in a run of rows.
  ///
  /// @param from the first row of the file
  /// @param to the row after the last
  /// @param found receives the matches, ascending, each as an offset from `from`; has room for
  ///   [#ROOM] elements more than the run has rows, which may be overwritten
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
          long left = bits[(int) (row - chunkStart) >>> 6] & (-1L << row);
          long behind = stop - (row & ~63L);
          left &= behind >= 64 ? -1L : (1L << behind) - 1;
          int base = (int) ((row & ~63L) - (from - firstRow));
          matches = BitNumbers.write(left, base, found, matches);
        }
      }
    }
    return matches;
  }

  /// {@return the row of a match in the file}
  ///
  /// @param match its number, in `[0, count())`
  public long row(long match) {
    int low = 0;
    int high = chunks.size() - 1;
    while (low < high) { // the last chunk with no more matches before it than `match`
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
