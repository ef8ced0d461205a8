package dev.penstock.benchmarks.formats;

import java.util.Arrays;
import java.util.List;

/// The columns of a file as arrays, to which a reader adds row by row.
public final class Columns {
  /// Six doubles, five integers, two strings.
  public static final List<String> NAMES =
      List.of("d0", "d1", "d2", "d3", "d4", "d5", "i0", "i1", "i2", "l0", "l1", "s0", "s1");

  /// How many columns of doubles there are; integers follow.
  public static final int DOUBLES = 6;

  /// The first column of strings.
  public static final int STRINGS = 11;

  private static final long NULL_DOUBLE = 0x9E3779B97F4A7C15L;

  private final double[][] doubles = new double[DOUBLES][];
  private final long[][] integers = new long[STRINGS - DOUBLES][];
  private final Object[][] strings = new Object[NAMES.size() - STRINGS][];
  private int rows;
  private int capacity;

  /// Makes columns without rows.
  public Columns() {
    grow(1 << 18);
  }

  /// Adds a row, in which all values are to be set.
  public void addRow() {
    if (++rows > capacity) {
      grow(2 * capacity);
    }
  }

  private void grow(int room) {
    capacity = room;
    for (int i = 0; i < doubles.length; i++) {
      doubles[i] = rows == 0 ? new double[room] : Arrays.copyOf(doubles[i], room);
    }
    for (int i = 0; i < integers.length; i++) {
      integers[i] = rows == 0 ? new long[room] : Arrays.copyOf(integers[i], room);
    }
    for (int i = 0; i < strings.length; i++) {
      strings[i] = rows == 0 ? new Object[room] : Arrays.copyOf(strings[i], room);
    }
  }

  /// Sets a value of the last row: NaN for a null.
  ///
  /// @param column its place in [#NAMES]
  /// @param value the value
  public void set(int column, double value) {
    doubles[column][rows - 1] = value;
  }

  /// Sets a value of the last row.
  ///
  /// @param column its place in [#NAMES]
  /// @param value the value
  public void set(int column, long value) {
    integers[column - DOUBLES][rows - 1] = value;
  }

  /// Sets a value of the last row.
  ///
  /// @param column its place in [#NAMES]
  /// @param value the text, as the library has it
  public void set(int column, Object value) {
    strings[column - STRINGS][rows - 1] = value;
  }

  /// {@return how many rows were added}
  public int rows() {
    return rows;
  }

  /// {@return the sum over the rows, as data's generators take it}
  public long checksum() {
    long sum = 0;
    for (int row = 0; row < rows; row++) {
      int weight = 0;
      for (double[] column : doubles) {
        sum += ++weight * bits(column[row]);
      }
      for (long[] column : integers) {
        sum += ++weight * column[row];
      }
      for (Object[] column : strings) {
        sum += ++weight * sum(column[row].toString());
      }
      sum += 31 * integers[0][row] * integers[3][row];
    }
    return sum;
  }

  /// {@return what a double counts in a sum}
  ///
  /// @param value the value, NaN for a null
  public static long bits(double value) {
    return Double.isNaN(value) ? NULL_DOUBLE : Double.doubleToRawLongBits(value);
  }

  /// {@return what a text counts in a sum}
  ///
  /// @param text the text
  public static long sum(String text) {
    return text.length() + 1000L * text.charAt(text.length() - 1);
  }
}
