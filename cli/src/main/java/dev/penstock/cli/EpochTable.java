package dev.penstock.cli;

import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.Terminal;
import dev.penstock.cli.output.TextTable;
import dev.penstock.stats.LoaderStats;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The epochs of a run as a table. Each row is printed when its epoch ends, so that it is not lost
/// if the next one fails.
final class EpochTable {
  private final Terminal terminal;
  private final EpochRange range;
  private final boolean showsCache;
  private @Nullable TextTable printed;
  private boolean digestsBelow;

  /// Makes a table without rows; `showsCache` adds a column of what was read from a cache.
  EpochTable(Terminal terminal, EpochRange range, boolean showsCache) {
    this.terminal = terminal;
    this.range = range;
    this.showsCache = showsCache;
  }

  /// Prints an epoch, and the header before the first one.
  void print(EpochReport report) {
    TextTable table = printed;
    if (table != null) {
      terminal.print(table.more(cells(report)) + below(report));
      return;
    }
    table = numbers().left("orderDigest").left("contentDigest").row(allCells(report));
    digestsBelow = table.width() > terminal.outColumns();
    if (digestsBelow) {
      table = numbers().row(cells(report)).fit(terminal.outColumns());
    }
    terminal.print(table.lines() + below(report));
    printed = table;
  }

  /// Returns a line that names the columns for which there was no room; empty without any.
  String note() {
    return printed == null ? "" : printed.note();
  }

  /// Returns the columns of numbers. On a terminal they have spare room for later epochs; for a
  /// program they are as wide as the first epoch needs.
  private TextTable numbers() {
    boolean seen = terminal.outColumns() < Integer.MAX_VALUE;
    TextTable table =
        new TextTable()
            .right(room("epoch", seen ? String.valueOf(range.end() - 1).length() : 0))
            .right("rows")
            .right("batches")
            .right("seconds")
            .right(room("rows/s", seen ? 7 : 0))
            .right(room("read", seen ? 9 : 0));
    if (showsCache) {
      table.right(room("cached", 9)); // the first epoch may have none, later ones much
    }
    return table.right(room("waited", seen ? 8 : 0)).right("peak memory");
  }

  private static String room(String name, int columns) {
    return " ".repeat(Math.max(0, columns - name.length())) + name;
  }

  private List<String> cells(EpochReport report) {
    List<String> all = allCells(report);
    return digestsBelow ? all.subList(0, all.size() - 2) : all;
  }

  private List<String> allCells(EpochReport report) {
    LoaderStats stats = report.stats();
    List<String> cells = new ArrayList<>();
    cells.add(stats.epoch() + (report.isWhole() ? "" : ", a part"));
    cells.add(Numbers.count(report.delivered().rows()));
    cells.add(Numbers.count(report.delivered().batches()));
    cells.add(Numbers.fixed(report.seconds(), 3));
    cells.add(Numbers.rate(report.rowsPerSecond()));
    cells.add(Numbers.bytes(stats.read().bytes()));
    if (showsCache) {
      cells.add(Numbers.bytes(stats.read().cached()));
    }
    cells.add(Numbers.fixed(report.waitSeconds(), 3) + " s");
    cells.add(Numbers.bytes(stats.memory().peakBytes()));
    cells.add(report.delivered().digest().order());
    cells.add(report.delivered().digest().content());
    return cells;
  }

  private String below(EpochReport report) {
    return digestsBelow
        ? "       orderDigest "
            + report.delivered().digest().order()
            + ", contentDigest "
            + report.delivered().digest().content()
            + "\n"
        : "";
  }
}
