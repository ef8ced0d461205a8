package dev.penstock.internal.text;

import java.util.Arrays;

/// Where the fields of some rows are in a text: a start and an end for each wanted column and row.
public final class FieldPlaces {
  /// Set in an end: the field was quoted; the quotes are left out.
  public static final int QUOTED = 1 << 30;

  /// Set in an end: some bytes of the field have to be removed to get its value.
  public static final int ESCAPED = 1 << 31;

  /// The bits of an end that hold the place.
  public static final int PLACE = QUOTED - 1;

  private final int columns;

  /// The address that places are counted from.
  long base;

  /// How many rows there is room for. Row `r` of column `c` is at `c * capacity + r`.
  int capacity;

  int[] starts = {};
  int[] ends = {};

  /// Starts without room for rows.
  ///
  /// @param columns how many columns are wanted
  public FieldPlaces(int columns) {
    this.columns = columns;
  }

  /// Forgets all places.
  ///
  /// @param base the address that places are counted from
  /// @param rows how many rows there will be at most
  public void begin(long base, int rows) {
    this.base = base;
    if (rows > capacity) {
      capacity = rows;
      starts = new int[Math.multiplyExact(columns, rows)];
      ends = new int[starts.length];
    }
  }

  /// Makes room for more rows of a single column, and keeps the fields so far.
  ///
  /// @param rows how many rows there are
  public void room(int rows) {
    if (rows > capacity) {
      capacity = Math.max(rows, 2 * capacity);
      starts = Arrays.copyOf(starts, capacity);
      ends = Arrays.copyOf(ends, capacity);
    }
  }

  /// Records a field.
  ///
  /// @param column its place among the wanted columns
  /// @param row its row
  /// @param from the address of its first byte
  /// @param to the address after its last
  /// @param marks [#QUOTED], [#ESCAPED], both or 0
  public void put(int column, int row, long from, long to, int marks) {
    int at = column * capacity + row;
    starts[at] = (int) (from - base);
    ends[at] = (int) (to - base) | marks;
  }

  /// Returns the address of a field's first byte.
  ///
  /// @param column the column
  /// @param row the row
  /// @return the address
  public long from(int column, int row) {
    return base + starts[column * capacity + row];
  }

  /// Returns the address after a field's last byte.
  ///
  /// @param column the column
  /// @param row the row
  /// @return the address
  public long to(int column, int row) {
    return base + (ends[column * capacity + row] & PLACE);
  }

  /// Returns the marks of a field.
  ///
  /// @param column the column
  /// @param row the row
  /// @return [#QUOTED], [#ESCAPED], both or 0
  public int marks(int column, int row) {
    return ends[column * capacity + row] & ~PLACE;
  }
}
