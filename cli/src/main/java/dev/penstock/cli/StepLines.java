package dev.penstock.cli;

import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.TextTable;
import dev.penstock.steps.StepRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Rows of steps for people to read: a line for rows that follow each other in a file and in a
/// batch.
final class StepLines {
  /// Rows of a batch that follow each other in a file.
  private record Line(StepRow first, StepRow last) {
    boolean isFollowedBy(StepRow row) {
      return row.epoch() == first.epoch()
          && row.step() == first.step()
          && row.rank() == first.rank()
          && row.place() == last.place() + 1
          && row.row() == last.endRow()
          && row.file().equals(last.file())
          && row.source().equals(last.source())
          && hasNextId(row)
          && row.part().isEmpty()
          && last.part().isEmpty();
    }

    private boolean hasNextId(StepRow row) {
      OptionalLong before = last.rowId();
      return before.isEmpty()
          ? row.rowId().isEmpty()
          : row.rowId().equals(OptionalLong.of(before.getAsLong() + 1));
    }
  }

  private final long most;
  private final String others;
  private final List<Line> lines = new ArrayList<>();
  private final Set<String> files = new HashSet<>();
  private final Set<Integer> ranks = new HashSet<>();
  private @Nullable Line open;
  private long count;
  private long rows;

  /// @param most how many lines are shown
  /// @param others what shows the others, a sentence
  StepLines(long most, String others) {
    this.most = most;
    this.others = others;
  }

  void add(StepRow row) {
    rows++;
    files.add(row.file().text());
    ranks.add(row.rank());
    Line before = open;
    if (before != null && before.isFollowedBy(row)) {
      open = new Line(before.first, row);
    } else {
      close();
      open = new Line(row, row);
    }
  }

  private void close() {
    if (open != null) {
      count++;
      if (lines.size() < most) {
        lines.add(open);
      }
      open = null;
    }
  }

  boolean isEmpty() {
    return rows == 0;
  }

  /// Returns what there is, below what was asked for.
  ///
  /// @param asked what was asked for
  /// @param columns how wide the terminal is
  String text(String asked, int columns) {
    close();
    String folder = folder(files);
    return asked
        + ": "
        + Numbers.count(rows, "row")
        + " of "
        + Numbers.count(files.size(), "file")
        + ", to "
        + Numbers.count(ranks.size(), "rank")
        + (folder.isEmpty() ? "" : "\nfiles are in " + folder)
        + "\n\n"
        + table(folder.length()).fit(columns)
        + more();
  }

  /// @param folder how many characters of all files are their folder
  private TextTable table(int folder) {
    boolean isOne = lines.getFirst().first.epoch() == lines.getLast().first.epoch();
    Map<String, Function<Line, String>> columns = new LinkedHashMap<>();
    columns.put("epoch", line -> isOne ? "" : String.valueOf(line.first.epoch()));
    columns.put("step", line -> String.valueOf(line.first.step()));
    columns.put("rank", line -> String.valueOf(line.first.rank()));
    columns.put("place", line -> range(line.first.place(), line.last.place() + 1L));
    columns.put("source", line -> text(line.first.source()));
    columns.put("row", line -> range(line.first.row(), line.last.endRow()));
    columns.put("row id", StepLines::rowIds);
    columns.put("elements", StepLines::elements);
    columns.put(
        "at", line -> line.first.part().map(part -> String.valueOf(part.offset())).orElse(""));
    columns.values().removeIf(cell -> lines.stream().map(cell).allMatch(String::isEmpty));
    TextTable table = new TextTable();
    columns.keySet().forEach(table::right);
    table.left("file");
    for (Line line : lines) {
      Stream<String> cells = columns.values().stream().map(cell -> cell.apply(line));
      String file = line.first.file().text().substring(folder);
      table.row(Stream.concat(cells, Stream.of(file)).toList());
    }
    return table;
  }

  private String more() {
    long left = count - lines.size();
    return left == 0 ? "" : "and " + Numbers.count(left, "more line") + ": " + others + "\n";
  }

  private static String rowIds(Line line) {
    OptionalLong id = line.first.rowId();
    return id.isEmpty() ? "" : range(id.getAsLong(), line.last.rowId().getAsLong() + 1);
  }

  private static String elements(Line line) {
    return line.first
        .part()
        .map(part -> range(part.from(), part.from() + (long) part.count()))
        .orElse("");
  }

  private static String text(OptionalLong number) {
    return number.isEmpty() ? "" : String.valueOf(number.getAsLong());
  }

  private static String range(long from, long to) {
    return to - from == 1 ? String.valueOf(from) : "[" + from + ", " + to + ")";
  }

  /// Returns what the names of all files begin with, up to a `/`.
  private static String folder(Set<String> files) {
    String first = Collections.min(files);
    String last = Collections.max(files);
    int same = 0;
    while (same < Math.min(first.length(), last.length())
        && first.charAt(same) == last.charAt(same)) {
      same++;
    }
    return first.substring(0, first.lastIndexOf('/', same - 1) + 1);
  }
}
