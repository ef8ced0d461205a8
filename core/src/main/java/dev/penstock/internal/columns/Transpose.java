package dev.penstock.internal.columns;

import static dev.penstock.internal.memory.Raw.ALL;
import static dev.penstock.internal.memory.Raw.INT;

import dev.penstock.internal.memory.Raw;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Objects;

/// Turns columns of floats into rows of a matrix.
public final class Transpose {
  /// Two values at a time, the earlier row in the lower half.
  private static final ValueLayout.OfLong TWO = Raw.LONG;

  private static final long LOWER = 0xFFFF_FFFFL;
  private static final long UPPER = ~LOWER;

  /// The rows of a strip take about this much, so that they stay in the second-level cache during
  /// the pass over the columns.
  private static final long STRIP_BYTES = 256 << 10;

  private static final long STRIP_ROWS_MIN = 16;

  /// The bytes of a strip whose rows are then copied to their places: it is read again at once.
  private static final long STRIP_COPIED_BYTES = 64 << 10;

  private static final long ROW_COPIED_BYTES_MIN = 128;

  private Transpose() {}

  /* Row r starts at byte r * rowBytes of the target: a row may be wider than these columns.
   *
   * Every access below is inside a segment that was checked before the loop: rows [from, from +
   * count) of each column, and of the target up to the last row's last column. The segments are
   * reachable, and their memory is the calling worker's, until the method returns.
   *
   * The unit is a square of two rows and two columns: two loads, two stores. Eight columns side by
   * side fill half a cache line of each row, and read eight streams that the processor can
   * prefetch. Values are copied as bits: a NaN is not changed.
   */
  static void floats(
      MemorySegment[] columns, int from, int count, MemorySegment target, long rowBytes) {
    long width = columns.length * 4L;
    if (count == 0 || width == 0) {
      return;
    }
    Objects.checkFromIndexSize(from, count, Integer.MAX_VALUE);
    Objects.checkFromIndexSize(0, width, rowBytes);
    Objects.checkFromIndexSize((count - 1) * rowBytes, width, target.byteSize());
    long targetAddress = target.address();
    for (MemorySegment column : columns) {
      Objects.checkFromIndexSize(from * 4L, count * 4L, column.byteSize());
    }
    int stripRows = (int) Math.max(STRIP_ROWS_MIN, STRIP_BYTES / width & ~1L);
    try {
      for (int row = 0; row < count; row += stripRows) {
        int rows = Math.min(stripRows, count - row);
        strip(columns, (from + row) * 4L, rows, targetAddress + row * rowBytes, rowBytes);
      }
    } finally {
      Reference.reachabilityFence(columns);
      Reference.reachabilityFence(target);
    }
  }

  /* With a place for each row, rows of two or more cache lines are assembled in a strip, then
   * copied, so that all lines of a place are written at once: writing half a line now and the other
   * half 1,024 rows later took 193 instead of 118 ns for a row of 256 bytes among 65,536. Shorter
   * rows are written to their places directly in half lines, 8 instead of 12 ns for 32 bytes. The
   * places are checked before the loop, and all rows are of one width. */

  /// Copies the first rows to chosen rows of a matrix that has no other columns: the first to
  /// `places[from]`.
  ///
  /// @param strip working memory of [#stripBytes]
  public static void floats(
      MemorySegment[] columns,
      int[] places,
      int from,
      int count,
      MemorySegment strip,
      MemorySegment target) {
    long rowBytes = columns.length * 4L;
    if (count == 0 || rowBytes == 0) {
      return;
    }
    if (isCopied(columns.length)) {
      requirePlaces(places, from, count, 0, target.byteSize() / rowBytes);
      Objects.checkFromIndexSize(0, rowBytes, strip.byteSize());
      int stripRows = (int) Math.min(count, strip.byteSize() / rowBytes);
      for (int first = 0; first < count; first += stripRows) {
        int rows = Math.min(stripRows, count - first);
        floats(columns, first, rows, strip, rowBytes);
        copyStrip(strip, rows, rowBytes, places, from + first, target);
      }
    } else {
      floats(columns, 0, places, from, count, 0, target, rowBytes);
    }
  }

  /// Copies neighbouring rows to chosen rows of a matrix: the first to `places[from]`.
  ///
  /// @param base the place of the target's first row
  /// @param target these columns in some rows of the matrix, up to the last one's last
  static void floats(
      MemorySegment[] columns,
      int first,
      int[] places,
      int from,
      int count,
      int base,
      MemorySegment target,
      long rowBytes) {
    long width = columns.length * 4L;
    if (count == 0 || width == 0) {
      return;
    }
    Objects.checkFromIndexSize(0, width, rowBytes);
    requirePlaces(places, from, count, base, (target.byteSize() - width) / rowBytes + 1);
    MemorySegment[] rows = new MemorySegment[columns.length];
    for (int j = 0; j < columns.length; j++) {
      rows[j] = columns[j].asSlice(first * 4L, count * 4L);
    }
    directly(rows, places, from, count, base, target, rowBytes);
  }

  /// Returns how much memory is needed to copy rows to their places.
  public static long stripBytes(int width) {
    return isCopied(width) ? Math.max(STRIP_COPIED_BYTES, STRIP_ROWS_MIN * width * 4L) : 0;
  }

  /// Returns whether rows are assembled in a strip before they are copied to their places.
  public static boolean isCopied(int width) {
    return width * 4L >= ROW_COPIED_BYTES_MIN;
  }

  private static void copyStrip(
      MemorySegment strip, int rows, long rowBytes, int[] places, int from, MemorySegment target) {
    long source = strip.address();
    long to = target.address();
    try {
      for (int row = 0; row < rows; row++) {
        Raw.copy(source + row * rowBytes, to + places[from + row] * rowBytes, rowBytes);
      }
    } finally {
      Reference.reachabilityFence(strip);
      Reference.reachabilityFence(target);
    }
  }

  /// Copies rows that are stored without gaps to neighbouring rows of a matrix, which may be wider.
  static void copyRows(MemorySegment rows, int count, MemorySegment target, long rowBytes) {
    long width = rows.byteSize() / count;
    long from = Raw.address(rows, 0, count * width);
    long to = Raw.address(target, 0, (count - 1) * rowBytes + width);
    try {
      for (int row = 0; row < count; row++) {
        Raw.copy(from + row * width, to + row * rowBytes, width);
      }
    } finally {
      Reference.reachabilityFence(rows);
      Reference.reachabilityFence(target);
    }
  }

  /// Copies chosen rows to chosen rows of a matrix that has no other columns: `chosen[0]` to
  /// `places[from]`. For rows that are [assembled][#isCopied] in a strip, of [#stripBytes].
  public static void floats(
      MemorySegment[] columns,
      int[] chosen,
      int[] places,
      int from,
      int count,
      MemorySegment strip,
      MemorySegment target) {
    long rowBytes = columns.length * 4L;
    if (count == 0 || rowBytes == 0) {
      return;
    }
    requirePlaces(places, from, count, 0, target.byteSize() / rowBytes);
    requireChosen(columns, chosen, count);
    Objects.checkFromIndexSize(0, rowBytes, strip.byteSize());
    int stripRows = (int) Math.min(count, strip.byteSize() / rowBytes);
    try {
      for (int first = 0; first < count; first += stripRows) {
        int rows = Math.min(stripRows, count - first);
        gather(columns, chosen, first, rows, strip.address(), rowBytes);
        copyStrip(strip, rows, rowBytes, places, from + first, target);
      }
    } finally {
      Reference.reachabilityFence(columns);
      Reference.reachabilityFence(strip);
    }
  }

  private static void requireChosen(MemorySegment[] columns, int[] chosen, int count) {
    long rows = Integer.MAX_VALUE;
    for (MemorySegment column : columns) {
      rows = Math.min(rows, column.byteSize() / 4);
    }
    Objects.checkFromIndexSize(0, count, chosen.length);
    int last = (int) rows - 1;
    int wrong = 0;
    for (int i = 0; i < count; i++) {
      wrong |= chosen[i] | (last - chosen[i]);
    }
    if (wrong < 0) {
      throw new IndexOutOfBoundsException("A chosen row is not among the " + rows + " there are.");
    }
  }

  private static void gather(
      MemorySegment[] columns, int[] chosen, int first, int rows, long target, long rowBytes) {
    int j = 0;
    for (; j + 8 <= columns.length; j += 8) {
      gatherEight(columns, j, chosen, first, rows, target + j * 4L, rowBytes);
    }
    for (; j < columns.length; j++) {
      long column = columns[j].address();
      for (int row = 0; row < rows; row++) {
        int value = ALL.get(INT, column + chosen[first + row] * 4L);
        ALL.set(INT, target + row * rowBytes + j * 4L, value);
      }
    }
  }

  private static void gatherEight(
      MemorySegment[] columns,
      int j,
      int[] chosen,
      int first,
      int rows,
      long target,
      long rowBytes) {
    long c0 = columns[j].address();
    long c1 = columns[j + 1].address();
    long c2 = columns[j + 2].address();
    long c3 = columns[j + 3].address();
    long c4 = columns[j + 4].address();
    long c5 = columns[j + 5].address();
    long c6 = columns[j + 6].address();
    long c7 = columns[j + 7].address();
    for (int row = 0; row < rows; row++) {
      long at = chosen[first + row] * 4L;
      long to = target + row * rowBytes;
      pair(c0 + at, c1 + at, to);
      pair(c2 + at, c3 + at, to + 8);
      pair(c4 + at, c5 + at, to + 16);
      pair(c6 + at, c7 + at, to + 24);
    }
  }

  private static void pair(long left, long right, long target) {
    ALL.set(TWO, target, (ALL.get(INT, left) & LOWER) | ((long) ALL.get(INT, right) << 32));
  }

  private static void directly(
      MemorySegment[] columns,
      int[] places,
      int from,
      int count,
      int base,
      MemorySegment target,
      long rowBytes) {
    for (MemorySegment column : columns) {
      Objects.checkFromIndexSize(0, count * 4L, column.byteSize());
    }
    long to = target.address() - base * rowBytes;
    int stripRows = (int) Math.max(STRIP_ROWS_MIN, STRIP_BYTES / rowBytes & ~1L);
    try {
      for (int first = 0; first < count; first += stripRows) {
        int end = Math.min(first + stripRows, count);
        int evenEnd = first + (end - first & ~1);
        int j = 0;
        for (; j + 8 <= columns.length; j += 8) {
          eightColumns(columns, j, first, evenEnd, places, from, to + j * 4L, rowBytes);
        }
        for (; j < columns.length; j++) {
          oneColumn(columns[j].address(), first, evenEnd, places, from, to + j * 4L, rowBytes);
        }
        if (evenEnd < end) {
          oneRow(columns, evenEnd * 4L, to + places[from + evenEnd] * rowBytes);
        }
      }
    } finally {
      Reference.reachabilityFence(columns);
      Reference.reachabilityFence(target);
    }
  }

  private static void requirePlaces(int[] places, int from, int count, int base, long rows) {
    Objects.checkFromIndexSize(from, count, places.length);
    long wrong = 0;
    for (int i = from; i < from + count; i++) {
      long place = (long) places[i] - base;
      wrong |= place | (rows - 1 - place);
    }
    if (wrong < 0) {
      throw new IndexOutOfBoundsException("A place is not among the " + rows + " there are.");
    }
  }

  private static void eightColumns(
      MemorySegment[] columns,
      int j,
      int first,
      int end,
      int[] places,
      int from,
      long target,
      long rowBytes) {
    long c0 = columns[j].address();
    long c1 = columns[j + 1].address();
    long c2 = columns[j + 2].address();
    long c3 = columns[j + 3].address();
    long c4 = columns[j + 4].address();
    long c5 = columns[j + 5].address();
    long c6 = columns[j + 6].address();
    long c7 = columns[j + 7].address();
    for (int row = first; row < end; row += 2) {
      long at = row * 4L;
      long even = target + places[from + row] * rowBytes;
      long step = target + places[from + row + 1] * rowBytes - even;
      square(c0 + at, c1 + at, even, step);
      square(c2 + at, c3 + at, even + 8, step);
      square(c4 + at, c5 + at, even + 16, step);
      square(c6 + at, c7 + at, even + 24, step);
    }
  }

  private static void oneColumn(
      long column, int first, int end, int[] places, int from, long target, long rowBytes) {
    for (int row = first; row < end; row++) {
      ALL.set(INT, target + places[from + row] * rowBytes, ALL.get(INT, column + row * 4L));
    }
  }

  private static void strip(
      MemorySegment[] columns, long source, int rows, long target, long rowBytes) {
    int width = columns.length;
    int evenRows = rows & ~1;
    int j = 0;
    for (; j + 8 <= width; j += 8) {
      eightColumns(columns, j, source, evenRows, target + j * 4L, rowBytes);
    }
    for (; j + 2 <= width; j += 2) {
      long left = columns[j].address() + source;
      long right = columns[j + 1].address() + source;
      twoColumns(left, right, evenRows, target + j * 4L, rowBytes);
    }
    if (j < width) {
      oneColumn(columns[j].address() + source, evenRows, target + j * 4L, rowBytes);
    }
    if (evenRows < rows) {
      oneRow(columns, source + evenRows * 4L, target + evenRows * rowBytes);
    }
  }

  private static void eightColumns(
      MemorySegment[] columns, int j, long source, int rows, long target, long rowBytes) {
    long c0 = columns[j].address() + source;
    long c1 = columns[j + 1].address() + source;
    long c2 = columns[j + 2].address() + source;
    long c3 = columns[j + 3].address() + source;
    long c4 = columns[j + 4].address() + source;
    long c5 = columns[j + 5].address() + source;
    long c6 = columns[j + 6].address() + source;
    long c7 = columns[j + 7].address() + source;
    long to = target;
    for (int row = 0; row < rows; row += 2) {
      long at = row * 4L;
      square(c0 + at, c1 + at, to, rowBytes);
      square(c2 + at, c3 + at, to + 8, rowBytes);
      square(c4 + at, c5 + at, to + 16, rowBytes);
      square(c6 + at, c7 + at, to + 24, rowBytes);
      to += 2 * rowBytes;
    }
  }

  private static void twoColumns(long left, long right, int rows, long target, long rowBytes) {
    for (int row = 0; row < rows; row += 2) {
      square(left + row * 4L, right + row * 4L, target + row * rowBytes, rowBytes);
    }
  }

  private static void square(long left, long right, long target, long rowBytes) {
    long l = ALL.get(TWO, left);
    long r = ALL.get(TWO, right);
    ALL.set(TWO, target, (l & LOWER) | (r << 32));
    ALL.set(TWO, target + rowBytes, (l >>> 32) | (r & UPPER));
  }

  private static void oneColumn(long column, int rows, long target, long rowBytes) {
    for (int row = 0; row < rows; row++) {
      ALL.set(INT, target + row * rowBytes, ALL.get(INT, column + row * 4L));
    }
  }

  private static void oneRow(MemorySegment[] columns, long source, long target) {
    for (int j = 0; j < columns.length; j++) {
      ALL.set(INT, target + j * 4L, ALL.get(INT, columns[j].address() + source));
    }
  }
}
