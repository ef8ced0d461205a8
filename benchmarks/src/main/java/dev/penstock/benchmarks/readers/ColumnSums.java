package dev.penstock.benchmarks.readers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A sum over each column that depends on every value and its row.
///
/// Value `v` at index `i` counts `mix(v) * (2 i + 1)`, modulo `2^64`; nulls and NaN count as one
/// same value. The generator writes the sums of what it generates beside the file; every reader
/// must come to the same.
public final class ColumnSums {
  private static final long NULL = 0x9E3779B97F4A7C15L;

  private final List<String> names;
  private final long[] sums;
  private long rows;

  /// Makes empty sums.
  ///
  /// @param table the table
  public ColumnSums(Table table) {
    names = table.columns().stream().map(Table.Column::name).toList();
    sums = new long[names.size()];
  }

  /// Adds a whole number.
  ///
  /// @param column its place in the table
  /// @param index the row; in a list the element, counted from the first row's first
  /// @param value the number
  public void add(int column, long index, long value) {
    long mixed = (value ^ value >>> 32) * 0xBF58476D1CE4E5B9L;
    sums[column] += (mixed ^ mixed >>> 29) * (2 * index + 1);
  }

  /// Adds a double.
  ///
  /// @param column its place in the table
  /// @param index the row
  /// @param value the number, NaN for null
  public void add(int column, long index, double value) {
    add(column, index, Double.isNaN(value) ? NULL : Double.doubleToRawLongBits(value));
  }

  /// Adds a float.
  ///
  /// @param column its place in the table
  /// @param index the row or element
  /// @param value the number
  public void add(int column, long index, float value) {
    add(column, index, (long) Float.floatToRawIntBits(value));
  }

  /// Adds a text.
  ///
  /// @param column its place in the table
  /// @param index the row
  /// @param value the text, or null
  public void add(int column, long index, @Nullable String value) {
    add(column, index, value == null ? NULL : value.hashCode() * 31L + value.length());
  }

  /// Adds a null.
  ///
  /// @param column its place in the table
  /// @param index the row
  public void addNull(int column, long index) {
    add(column, index, NULL);
  }

  /// Counts rows.
  ///
  /// @param count how many more
  public void addRows(long count) {
    rows += count;
  }

  /// Returns the rows so far.
  ///
  /// @return how many
  public long rows() {
    return rows;
  }

  /// Returns in which columns these sums differ from what was generated.
  ///
  /// @param expected what [#read] gave
  /// @return the wrong columns; empty if there are none
  Optional<String> difference(Map<String, Long> expected) {
    List<String> wrong = new ArrayList<>();
    if (rows != expected.getOrDefault("rows", -1L)) {
      wrong.add(rows + " rows");
    }
    for (int column = 0; column < sums.length; column++) {
      String name = names.get(column);
      if (!expected.containsKey(name) || expected.get(name) != sums[column]) {
        wrong.add(name);
      }
    }
    return wrong.isEmpty() ? Optional.empty() : Optional.of("wrong: " + String.join(", ", wrong));
  }

  /// Writes the sums.
  ///
  /// @param file where to
  /// @throws IOException if it cannot be written
  public void write(Path file) throws IOException {
    List<String> lines = new ArrayList<>(List.of("rows " + rows));
    for (int column = 0; column < sums.length; column++) {
      lines.add(names.get(column) + " " + HexFormat.of().toHexDigits(sums[column]));
    }
    Files.write(file, lines);
  }

  /// Reads sums that were written.
  ///
  /// @param file where they are
  /// @return sum by column; the rows as `rows`
  /// @throws IOException if it cannot be read
  static Map<String, Long> read(Path file) throws IOException {
    Map<String, Long> sums = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] parts = line.split(" ", -1);
      boolean rows = parts[0].equals("rows");
      sums.put(parts[0], rows ? Long.parseLong(parts[1]) : HexFormat.fromHexDigitsToLong(parts[1]));
    }
    return sums;
  }
}
