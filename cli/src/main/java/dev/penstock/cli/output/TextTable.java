package dev.penstock.cli.output;

import dev.penstock.storage.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Lines of text in aligned columns, with a header.
public final class TextTable {
  private static final int GAP = 2;

  /// The least width of a wrapped column whose words have no room.
  private static final int WRAPPED_MIN = 12;

  /// The most columns that are named when they are left out.
  private static final int NAMED_MAX = 8;

  private final List<List<String>> header;
  private final List<Boolean> toTheRight;
  private final List<List<String>> rows;

  /// The widths of the columns that are shown; those behind them are left out.
  private final List<Integer> widths;

  /// Makes a table without columns and rows.
  public TextTable() {
    this(
        new ArrayList<>(List.of(new ArrayList<>())),
        new ArrayList<>(),
        new ArrayList<>(),
        new ArrayList<>());
  }

  private TextTable(
      List<List<String>> header,
      List<Boolean> toTheRight,
      List<List<String>> rows,
      List<Integer> widths) {
    this.header = header;
    this.toTheRight = toTheRight;
    this.rows = rows;
    this.widths = widths;
  }

  /// Adds a column of text.
  public TextTable left(String name) {
    return column(name, false);
  }

  /// Adds a column of numbers, aligned to the right.
  public TextTable right(String name) {
    return column(name, true);
  }

  private TextTable column(String name, boolean right) {
    header.getFirst().add(Printable.of(name));
    toTheRight.add(right);
    widths.add(TextWidth.of(header.getFirst().getLast()));
    return this;
  }

  /// Adds a line to the header, one cell per column.
  TextTable header(List<String> cells) {
    header.add(widened(cells));
    return this;
  }

  /// Adds a row, one cell per column.
  public TextTable row(String... cells) {
    return row(List.of(cells));
  }

  /// Adds a row, one cell per column.
  public TextTable row(List<String> cells) {
    rows.add(widened(cells));
    return this;
  }

  private List<String> widened(List<String> cells) {
    List<String> printable = printable(cells);
    for (int column = 0; column < widths.size(); column++) {
      widths.set(column, Math.max(widths.get(column), TextWidth.of(printable.get(column))));
    }
    return printable;
  }

  private List<String> printable(List<String> cells) {
    int columns = toTheRight.size();
    if (cells.size() != columns) {
      throw new IllegalStateException(
          "Row has " + cells.size() + " cells but the table has " + columns + " columns.");
    }
    return cells.stream().map(Printable::of).toList();
  }

  /// Returns how wide the table is, in characters of a terminal.
  public int width() {
    return widths.stream().mapToInt(width -> width + GAP).sum() - GAP;
  }

  /// Returns the table for a terminal of `columns` characters. If it is too wide, columns of text
  /// are wrapped, first between words, then to [#WRAPPED_MIN] characters; then the last columns are
  /// left out.
  public TextTable fit(int columns) {
    if (width() <= columns) {
      return this;
    }
    TextTable narrow = new TextTable(header, toTheRight, rows, new ArrayList<>(widths));
    narrow.wrap(columns, narrow::widestWord);
    narrow.wrap(columns, _ -> WRAPPED_MIN);
    return narrow.leaveOut(columns);
  }

  /// Returns the table without the last columns, if it is wider than `columns` characters.
  TextTable leaveOut(int columns) {
    List<Integer> left = new ArrayList<>(widths);
    TextTable narrow = new TextTable(header, toTheRight, rows, left);
    while (narrow.width() > columns && left.size() > 1) {
      left.removeLast();
    }
    return narrow;
  }

  /// Narrows columns of text, the widest first, until the table fits.
  ///
  /// @param least the width below which a column is not narrowed
  private void wrap(int columns, IntUnaryOperator least) {
    List<Integer> order =
        IntStream.range(0, widths.size())
            .filter(column -> !toTheRight.get(column))
            .boxed()
            .sorted(Comparator.comparing(widths::get, Comparator.reverseOrder()))
            .toList();
    for (int column : order) {
      int over = Math.max(0, width() - columns);
      int width = widths.get(column);
      int most = Math.max(width - over, least.applyAsInt(column));
      widths.set(column, Math.min(width, most));
    }
  }

  private int widestWord(int column) {
    return Stream.concat(header.stream(), rows.stream())
        .mapToInt(cells -> TextWidth.ofWidestWord(cells.get(column)))
        .max()
        .orElse(0);
  }

  /// Returns the table, each line with a line end, and the [#note()].
  @Override
  public String toString() {
    return lines() + note();
  }

  /// Returns the table, each line with a line end.
  public String lines() {
    StringBuilder text = new StringBuilder();
    header.forEach(cells -> lines(text, cells));
    lines(text, widths.stream().map("-"::repeat).toList());
    rows.forEach(cells -> lines(text, cells));
    return text.toString();
  }

  /// Returns a line that names the columns left out; empty without any.
  public String note() {
    List<String> names = header.getFirst();
    List<String> missing = names.subList(widths.size(), names.size());
    return missing.isEmpty()
        ? ""
        : "%d of %d columns have no room here: %s%s.\n"
            .formatted(
                missing.size(),
                names.size(),
                missing.stream()
                    .limit(NAMED_MAX)
                    .map(String::strip)
                    .collect(Collectors.joining(", ")),
                missing.size() > NAMED_MAX ? ", ..." : "");
  }

  /// Returns one more row for a table that was already printed, with the same column widths.
  public String more(List<String> cells) {
    StringBuilder text = new StringBuilder();
    lines(text, printable(cells));
    return text.toString();
  }

  private void lines(StringBuilder text, List<String> cells) {
    List<String> rest = new ArrayList<>(cells.subList(0, widths.size()));
    do {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < rest.size(); column++) {
        String cell = rest.get(column);
        String part = toTheRight.get(column) ? cell : TextWidth.start(cell, widths.get(column));
        rest.set(column, cell.substring(part.length()).stripLeading());
        String padding = " ".repeat(Math.max(0, widths.get(column) - TextWidth.of(part)));
        line.append(" ".repeat(column == 0 ? 0 : GAP));
        line.append(toTheRight.get(column) ? padding + part : part + padding);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    } while (!rest.stream().allMatch(String::isEmpty));
  }
}
