package dev.penstock.cli;

import dev.penstock.Mixture;
import dev.penstock.StructuredDataset;
import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.TextTable;
import dev.penstock.compose.Packs;
import dev.penstock.options.LoaderOptions;
import java.util.Collections;
import java.util.List;

/// How many rows are of each source of a mixture, in words.
final class Sources {
  /// More sources than this are not all shown.
  private static final int ALL_MAX = 12;

  private static final int FIRST = 10;

  private Sources() {}

  /// Returns a table of the sources; nothing without a mixture.
  ///
  /// @param rows how many rows are of each
  /// @param columns how wide the terminal is
  static String text(
      StructuredDataset dataset, LoaderOptions options, List<Long> rows, int columns) {
    if (rows.isEmpty()) {
      return "";
    }
    List<Mixture.Source> sources = dataset.mixture().orElseThrow().sources();
    double all = Math.max(1, rows.stream().mapToLong(each -> each).sum());
    TextTable table =
        new TextTable().right("source").right("weight").right("rows").right("share").left("of");
    int shown = rows.size() <= ALL_MAX ? rows.size() : FIRST;
    for (int source = 0; source < shown; source++) {
      StructuredDataset of = sources.get(source).dataset();
      table.row(
          String.valueOf(source),
          String.valueOf(sources.get(source).weight()),
          Numbers.count(rows.get(source)),
          Numbers.fixed(100 * rows.get(source) / all, 2) + " %",
          String.join(" ", of.locations())
              + of.filter().map(filter -> " where " + filter).orElse(""));
    }
    return table.fit(columns) + more(rows.subList(shown, rows.size())) + unit(options);
  }

  private static String more(List<Long> rows) {
    if (rows.isEmpty()) {
      return "";
    }
    String least = Numbers.count(Collections.min(rows));
    String most = Numbers.count(Collections.max(rows), "row");
    return "and "
        + rows.size()
        + " more with "
        + (most.startsWith(least + " ") ? "" : least + " to ")
        + most
        + " each: --json shows all.\n";
  }

  private static String unit(LoaderOptions options) {
    return options
        .batching()
        .composition()
        .filter(Packs.class::isInstance)
        .map(_ -> "Rows and shares of sources count what is read, such as documents, not tokens.\n")
        .orElse("");
  }
}
