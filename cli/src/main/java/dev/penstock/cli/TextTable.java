package dev.penstock.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Lines of text in aligned columns, with a header.
final class TextTable {
  private final List<String> header = new ArrayList<>();
  private final List<List<String>> moreHeader = new ArrayList<>();
  private final List<Boolean> toTheRight = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  /// Adds a column of text.
  TextTable left(String name) {
    header.add(name);
    toTheRight.add(false);
    return this;
  }

  /// Adds a column of numbers.
  TextTable right(String name) {
    header.add(name);
    toTheRight.add(true);
    return this;
  }

  /// Adds a line to the header, one cell per column.
  TextTable header(List<String> cells) {
    moreHeader.add(checked(cells));
    return this;
  }

  /// Adds a row, one cell per column.
  TextTable row(String... cells) {
    return row(List.of(cells));
  }

  /// Adds a row, one cell per column.
  TextTable row(List<String> cells) {
    rows.add(checked(cells));
    return this;
  }

  private List<String> checked(List<String> cells) {
    if (cells.size() != header.size()) {
      throw new IllegalStateException(
          "Row has " + cells.size() + " cells but the table has " + header.size() + " columns.");
    }
    return List.copyOf(cells);
  }

  /// Returns the table, every line ended.
  @Override
  public String toString() {
    int[] widths = new int[header.size()];
    widen(widths, header);
    moreHeader.forEach(line -> widen(widths, line));
    rows.forEach(row -> widen(widths, row));
    List<String> rule = Arrays.stream(widths).mapToObj("-"::repeat).toList();
    StringBuilder text = new StringBuilder();
    line(text, header, widths);
    moreHeader.forEach(line -> line(text, line, widths));
    line(text, rule, widths);
    rows.forEach(row -> line(text, row, widths));
    return text.toString();
  }

  private static void widen(int[] widths, List<String> cells) {
    for (int column = 0; column < widths.length; column++) {
      widths[column] = Math.max(widths[column], width(cells.get(column)));
    }
  }

  private void line(StringBuilder text, List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < widths.length; column++) {
      String padding = " ".repeat(widths[column] - width(cells.get(column)));
      line.append(column == 0 ? "" : "  ");
      if (toTheRight.get(column)) {
        line.append(padding).append(cells.get(column));
      } else {
        line.append(cells.get(column)).append(padding);
      }
    }
    text.append(line.toString().stripTrailing()).append('\n');
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }
}
