package dev.penstock.cli;

import dev.penstock.Mixture;
import dev.penstock.StructuredDataset;
import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.TextTable;
import java.util.List;

/// How many rows are of each source of a mixture, in words.
final class Sources {
  private Sources() {}

  /// Returns a table of the sources; nothing without a mixture.
  ///
  /// @param rows how many rows are of each
  /// @param columns how wide the terminal is
  static String text(StructuredDataset dataset, List<Long> rows, int columns) {
    if (rows.isEmpty()) {
      return "";
    }
    List<Mixture.Source> sources = dataset.mixture().orElseThrow().sources();
    double all = Math.max(1, rows.stream().mapToLong(each -> each).sum());
    TextTable table =
        new TextTable().right("source").right("weight").right("rows").right("share").left("of");
    for (int source = 0; source < rows.size(); source++) {
      StructuredDataset of = sources.get(source).dataset();
      table.row(
          String.valueOf(source),
          String.valueOf(sources.get(source).weight()),
          Numbers.count(rows.get(source)),
          Numbers.fixed(100 * rows.get(source) / all, 2) + " %",
          String.join(" ", of.locations())
              + of.filter().map(filter -> " where " + filter).orElse(""));
    }
    return table.fit(columns).toString();
  }
}
