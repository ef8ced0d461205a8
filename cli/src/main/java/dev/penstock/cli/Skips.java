package dev.penstock.cli;

import dev.penstock.cli.output.Numbers;
import dev.penstock.internal.request.PlanJson;
import dev.penstock.split.Plan;
import dev.penstock.split.PrunedFile;
import dev.penstock.split.PrunedRows;
import dev.penstock.stats.SkippedRows;
import java.util.ArrayList;
import java.util.List;

/// What a filter skipped, in words.
final class Skips {
  private Skips() {}

  /// Returns what a plan skips, in words.
  ///
  /// @param unopened what ruled out the files that were not opened
  static String text(Plan plan, String unopened) {
    List<String> parts = new ArrayList<>();
    if (!plan.prunedFiles().isEmpty()) {
      parts.add(Numbers.count(plan.prunedFiles().size(), "file") + " not opened");
    }
    if (!plan.pruned().isEmpty()) {
      long rows = plan.pruned().stream().mapToLong(pruned -> pruned.rows().length()).sum();
      parts.add(
          Numbers.count(rows, "row") + " in " + Numbers.count(plan.pruned().size(), "row group"));
    }
    StringBuilder text = new StringBuilder("pruned: ");
    text.append(parts.isEmpty() ? "none" : String.join(", ", parts)).append('\n');
    for (PrunedFile pruned : plan.prunedFiles()) {
      text.append("  ").append(pruned.location()).append(" by ").append(unopened).append('\n');
    }
    for (PrunedRows pruned : plan.pruned()) {
      text.append("  ")
          .append(pruned.file().location())
          .append(" rows ")
          .append(pruned.rows())
          .append(" by ")
          .append(PlanJson.words(pruned.by()))
          .append('\n');
    }
    return text.toString();
  }

  /// Returns what an epoch skipped, in words; empty if nothing.
  static String text(SkippedRows skipped) {
    List<String> parts = new ArrayList<>();
    add(parts, skipped.statistics(), "statistics of row groups");
    add(parts, skipped.bloomFilters(), "bloom filters and dictionaries");
    add(parts, skipped.pageIndex(), "the page index");
    add(parts, skipped.values(), "their values");
    String files =
        skipped.files() == 0
            ? ""
            : Numbers.count(skipped.files(), "file") + " did not have to be opened.\n";
    String rows =
        parts.isEmpty()
            ? ""
            : "The filter left out "
                + Numbers.count(skipped.total(), "row")
                + ": "
                + String.join(", ", parts)
                + ".\n";
    return files + rows;
  }

  private static void add(List<String> parts, long rows, String by) {
    if (rows > 0) {
      parts.add(Numbers.count(rows) + " by " + by);
    }
  }
}
