package dev.penstock.internal.text;

import java.util.Arrays;

/// Where the fields of some rows are in a text: a start and an end for each wanted column and row.
public final class FieldPlaces {
  /// Set in an end: the field was quoted; the quotes are left out.
  public static final int QUOTED = 1 << 30;

  /// Set in an end: some bytes of the field have to be removed to get its value.
  public static final int ESCAPED = 1 << 31;

  static final int PLACE = QUOTED - 1; // the bits of an end that hold the place
  private final int columns;
  long base; // the address that places are counted from

  /// How many rows there is room for. Row `r` of column `c` is at `c * capacity + r`.
  int capacity;

  int[] starts = {};
  int[] ends = {};

  public FieldPlaces(int columns) {
    this.columns = columns;
  }

  /// Forgets all places. New ones are counted from the address `base`, for at most `rows` rows.
  public void begin(long base, int rows) {
    this.base = base;
    if (rows > capacity) {
      capacity = rows;
      starts = new int[Math.multiplyExact(columns, rows)];
      ends = new int[starts.length];
    }
  }

  /// Makes room for more rows of a single column, and keeps the fields so far.
  public void room(int rows) {
    if (rows > capacity) {
      capacity = Math.max(rows, 2 * capacity);
      starts = Arrays.copyOf(starts, capacity);
      ends = Arrays.copyOf(ends, capacity);
    }
  }

  /// Records a field between two addresses; marks are [#QUOTED], [#ESCAPED], both or 0.
  public void put(int column, int row, long from, long to, int marks) {
    int at = column * capacity + row;
    starts[at] = (int) (from - base);
    ends[at] = (int) (to - base) | marks;
  }

  public long from(int column, int row) {
    return base + starts[column * capacity + row];
  }

  public long to(int column, int row) {
    return base + (ends[column * capacity + row] & PLACE);
  }

  /// Returns [#QUOTED], [#ESCAPED], both or 0.
  public int marks(int column, int row) {
    return ends[column * capacity + row] & ~PLACE;
  }
}
