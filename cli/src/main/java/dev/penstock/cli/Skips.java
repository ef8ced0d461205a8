package dev.penstock.cli;

import dev.penstock.cli.output.Numbers;
import dev.penstock.split.Plan;
import dev.penstock.split.PrunedFile;
import dev.penstock.split.PrunedRows;
import dev.penstock.stats.SkippedRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/// What a filter skipped, in words and as JSON.
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
          .append(words(pruned.by()))
          .append('\n');
    }
    return text.toString();
  }

  private static String words(PrunedRows.Level level) {
    return level.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /// Writes what a plan skips as a field.
  ///
  /// @param unopened what ruled out the files that were not opened
  static void write(JsonGenerator json, Plan plan, String unopened) {
    json.writeArrayPropertyStart("pruned");
    for (PrunedFile pruned : plan.prunedFiles()) {
      json.writeStartObject()
          .writeStringProperty("file", pruned.location().text())
          .writeStringProperty("by", unopened)
          .writeEndObject();
    }
    for (PrunedRows pruned : plan.pruned()) {
      json.writeStartObject()
          .writeStringProperty("file", pruned.file().location().text())
          .writeNumberProperty("offset", pruned.rows().offset())
          .writeNumberProperty("length", pruned.rows().length())
          .writeStringProperty("by", words(pruned.by()))
          .writeEndObject();
    }
    json.writeEndArray();
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

  /// Writes what an epoch skipped as a field.
  static void write(JsonGenerator json, SkippedRows skipped) {
    json.writeObjectPropertyStart("skippedRows")
        .writeNumberProperty("files", skipped.files())
        .writeNumberProperty("statistics", skipped.statistics())
        .writeNumberProperty("bloomFilters", skipped.bloomFilters())
        .writeNumberProperty("pageIndex", skipped.pageIndex())
        .writeNumberProperty("values", skipped.values())
        .writeEndObject();
  }
}
