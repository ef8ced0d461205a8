package dev.penstock.internal.request;

import dev.penstock.DataLoader;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.PaddingStats;
import dev.penstock.stats.SkippedRows;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/// What an epoch came to as JSON, the same at all doors: fields of the object that is open.
public final class EpochJson {
  private EpochJson() {}

  /// Writes how much was delivered, and what it took.
  ///
  /// @param rows the rows of the epoch, with those of earlier runs
  /// @param batches its batches, likewise
  public static void numbers(
      JsonGenerator json, LoaderStats stats, long rows, long batches, double seconds) {
    json.writeNumberProperty("epoch", stats.epoch())
        .writeNumberProperty("rows", rows)
        .writeNumberProperty("batches", batches)
        .writeNumberProperty("seconds", seconds)
        .writeNumberProperty("rowsPerSecond", seconds > 0 ? stats.rows() / seconds : 0)
        .writeNumberProperty("bytesRead", stats.read().bytes())
        .writeNumberProperty("waitSeconds", stats.times().waitNanos() / 1e9)
        .writeNumberProperty("peakMemoryBytes", stats.memory().peakBytes());
  }

  /// Writes what only some loaders have: ranks, sources, padding, rows that a filter leaves out.
  public static void parts(JsonGenerator json, DataLoader loader, LoaderStats stats) {
    boolean _ = rank(json, loader.options());
    sources(json, stats.rowsOfSources());
    if (loader.options().batching().composition().isPresent()) {
      padding(json, stats.padding());
    }
    if (loader.isFiltered()) {
      skipped(json, stats.read().skipped());
    }
  }

  /// Writes the rank, and returns true, if there are several.
  static boolean rank(JsonGenerator json, LoaderOptions options) {
    Rank rank = options.rankShare().rank().orElse(Rank.SINGLE);
    if (rank.count() > 1) {
      json.writeStringProperty("rank", rank.toString());
    }
    return rank.count() > 1;
  }

  static void sources(JsonGenerator json, List<Long> rows) {
    if (!rows.isEmpty()) {
      json.writeArrayPropertyStart("rowsOfSources");
      rows.forEach(json::writeNumber);
      json.writeEndArray();
    }
  }

  private static void padding(JsonGenerator json, PaddingStats padding) {
    json.writeObjectPropertyStart("padding")
        .writeNumberProperty("elements", padding.elements())
        .writeNumberProperty("padded", padding.padded())
        .writeNumberProperty("paddedWithout", padding.before())
        .writeNumberProperty("dropped", padding.dropped())
        .writeEndObject();
  }

  private static void skipped(JsonGenerator json, SkippedRows skipped) {
    json.writeObjectPropertyStart("skippedRows")
        .writeNumberProperty("files", skipped.files())
        .writeNumberProperty("statistics", skipped.statistics())
        .writeNumberProperty("bloomFilters", skipped.bloomFilters())
        .writeNumberProperty("pageIndex", skipped.pageIndex())
        .writeNumberProperty("values", skipped.values())
        .writeEndObject();
  }
}
