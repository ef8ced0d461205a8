package dev.penstock.internal.request;

import dev.penstock.BadFile;
import dev.penstock.StructuredDataset;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Plan;
import dev.penstock.split.PrunedFile;
import dev.penstock.split.PrunedRows;
import dev.penstock.split.Split;
import dev.penstock.stats.RankCosts;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/// A plan as JSON, the same at all doors.
public final class PlanJson {
  private PlanJson() {}

  /// Writes a plan as fields of the object that is open.
  ///
  /// @param plan what is read: pruned rows are in no split
  public static void write(
      JsonGenerator json, StructuredDataset dataset, LoaderOptions options, Plan plan) {
    json.writeNumberProperty("epoch", plan.epoch())
        .writeStringProperty("shuffle", options.order().shuffle().toString())
        .writeNumberProperty("seed", options.order().seed())
        .writeNumberProperty("rows", plan.rows());
    EpochJson.sources(json, plan.rowsOfSources());
    options
        .batching()
        .composition()
        .ifPresent(how -> json.writeStringProperty("composition", how.toString()));
    if (EpochJson.rank(json, options)) {
      json.writeStringProperty("rankEnd", Form.spelled(options.rankShare().end()));
    }
    json.writeArrayPropertyStart("files");
    plan.files().forEach(file -> write(json, file));
    json.writeEndArray().writeArrayPropertyStart("readers");
    for (int reader = 0; reader < plan.splits().size(); reader++) {
      Split split = plan.splits().get(reader);
      json.writeStartObject()
          .writeNumberProperty("reader", reader)
          .writeNumberProperty("rows", split.rows())
          .writeNumberProperty("bytes", bytes(split));
      write(json, "splits", split.fileSplits());
      json.writeEndObject();
    }
    json.writeEndArray();
    write(json, "sequence", plan.sequence());
    pruned(json, plan, dataset.version().isPresent() ? "table metadata" : "partition");
    badFiles(json, dataset.badFiles());
    SchemaJson.table(json, dataset, plan.files());
  }

  /// Writes how unequal ranks are, as a field of the object that is open.
  public static void imbalance(JsonGenerator json, RankCosts costs) {
    json.writeObjectPropertyStart("imbalance")
        .writeNumberProperty("ranks", costs.ranks())
        .writeNumberProperty("steps", costs.steps());
    imbalance(json, "inTurn", costs.inTurn());
    imbalance(json, "balanced", costs.balanced());
    json.writeEndObject();
  }

  private static void imbalance(JsonGenerator json, String name, RankCosts.Imbalance of) {
    json.writeObjectPropertyStart(name)
        .writeNumberProperty("median", of.median())
        .writeNumberProperty("p99", of.p99())
        .writeNumberProperty("most", of.most())
        .writeNumberProperty("within2", of.within2())
        .writeNumberProperty("overall", of.overall())
        .writeEndObject();
  }

  private static void write(JsonGenerator json, DataFileInfo file) {
    json.writeStartObject()
        .writeStringProperty("location", file.location().text())
        .writeNumberProperty("bytes", file.bytes())
        .writeNumberProperty("rows", file.rows())
        .writeNumberProperty("rowGroups", file.rowGroups().size());
    if (!file.partition().isEmpty()) {
      json.writeObjectPropertyStart("partition");
      file.partition().forEach(each -> json.writeStringProperty(each.key(), each.text()));
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String name, List<FileSplit> splits) {
    json.writeArrayPropertyStart(name);
    for (FileSplit split : splits) {
      json.writeStartObject()
          .writeStringProperty("file", split.file().location().text())
          .writeNumberProperty("offset", split.firstRow())
          .writeNumberProperty("length", split.rows())
          .writeEndObject();
    }
    json.writeEndArray();
  }

  /// Writes what a plan skips.
  ///
  /// @param unopened what ruled out the files that were not opened
  private static void pruned(JsonGenerator json, Plan plan, String unopened) {
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

  private static void badFiles(JsonGenerator json, List<BadFile> files) {
    if (files.isEmpty()) {
      return;
    }
    json.writeArrayPropertyStart("badFiles");
    for (BadFile file : files) {
      json.writeStartObject()
          .writeStringProperty("location", file.location().text())
          .writeStringProperty("reason", file.reason())
          .writeEndObject();
    }
    json.writeEndArray();
  }

  /// Returns what ruled out rows, in words.
  public static String words(PrunedRows.Level level) {
    return switch (level) {
      case STATISTICS -> "statistics";
      case BLOOM_FILTER -> "bloom filter";
      case PAGE_INDEX -> "page index";
    };
  }

  /// Returns a split's share of its files' bytes, by rows.
  public static long bytes(Split split) {
    double bytes = 0;
    for (FileSplit each : split.fileSplits()) {
      bytes += (double) each.file().bytes() * each.rows() / Math.max(1, each.file().rows());
    }
    return Math.round(bytes);
  }
}
