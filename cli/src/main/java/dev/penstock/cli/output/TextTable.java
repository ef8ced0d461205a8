package dev.penstock.cli.output;

import dev.penstock.storage.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Lines of text in aligned columns, with a header.
public final class TextTable {
  private static final int GAP = 2;

  /// The least width of a wrapped column.
  private static final int WRAPPED_MIN = 12;

  private final List<List<String>> header = new ArrayList<>(List.of(new ArrayList<>()));
  private final List<Boolean> toTheRight = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();
  private final List<Integer> widths = new ArrayList<>();

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
    if (cells.size() != widths.size()) {
      throw new IllegalStateException(
          "Row has " + cells.size() + " cells but the table has " + widths.size() + " columns.");
    }
    return cells.stream().map(Printable::of).toList();
  }

  /// Returns how wide the table is, in characters of a terminal.
  public int width() {
    return widths.stream().mapToInt(width -> width + GAP).sum() - GAP;
  }

  /// Returns the table, each line with a line end.
  @Override
  public String toString() {
    return text(widths);
  }

  /// Returns the table for a terminal of `columns` characters: if it is too wide, the widest column
  /// of text is wrapped, to at least [#WRAPPED_MIN] characters.
  String fit(int columns) {
    int over = width() - columns;
    int widest =
        IntStream.range(0, widths.size())
            .filter(column -> !toTheRight.get(column))
            .reduce((a, b) -> widths.get(a) >= widths.get(b) ? a : b)
            .orElse(-1);
    if (over <= 0 || widest < 0) {
      return toString();
    }
    List<Integer> narrowed = new ArrayList<>(widths);
    narrowed.set(widest, Math.max(widths.get(widest) - over, WRAPPED_MIN));
    return text(narrowed);
  }

  private String text(List<Integer> widths) {
    StringBuilder text = new StringBuilder();
    header.forEach(cells -> lines(text, cells, widths));
    lines(text, widths.stream().map("-"::repeat).toList(), widths);
    rows.forEach(cells -> lines(text, cells, widths));
    return text.toString();
  }

  /// Returns one more row for a table that was already printed, with the same column widths.
  public String more(List<String> cells) {
    StringBuilder text = new StringBuilder();
    lines(text, printable(cells), widths);
    return text.toString();
  }

  private void lines(StringBuilder text, List<String> cells, List<Integer> widths) {
    List<String> rest = new ArrayList<>(cells);
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
