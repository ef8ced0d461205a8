package dev.penstock.serve;

import dev.penstock.DataLoader;
import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonTree;
import dev.penstock.internal.request.EpochJson;
import dev.penstock.internal.request.PlanJson;
import dev.penstock.internal.request.SchemaJson;
import dev.penstock.report.Report;
import dev.penstock.report.page.ReportPage;
import dev.penstock.stats.LoaderStats;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Answers what clients ask about their loaders, in the forms of the command's `--json`. Nothing is
/// written here: a report goes to the client, which has a place for it.
final class Answers {
  /// What fits into a frame beside its kind.
  private static final int LENGTH_MAX = Frames.LENGTH_MAX - 1;

  private static final int UTF8_MAX = 3; // bytes of a char

  private Answers() {}

  /// Returns the JSON of an answer.
  ///
  /// @param question the text of an `ASK` frame
  /// @throws IllegalArgumentException if it asks for nothing known
  /// @throws IllegalStateException if the answer is longer than a frame
  static String to(DataLoader loader, String question) throws IOException {
    JsonFields fields = JsonTree.read("a question", question);
    String what = fields.text("what");
    String answer =
        switch (what) {
          case "length" -> length(loader);
          case "rows" -> rows(loader);
          case "state" ->
              Json.object(json -> json.writeStringProperty("state", loader.state().toJson()));
          case "schema" -> Json.object(json -> SchemaJson.columns(json, loader.dataset()));
          case "plan" -> plan(loader, fields.whole("epoch", 0, Long.MAX_VALUE));
          case "stats" -> stats(loader, Received.of(fields));
          case "report" -> report(loader);
          default -> {
            if (!what.startsWith("vocabulary:")) {
              throw new IllegalArgumentException("Cannot answer '" + what + "'.");
            }
            yield vocabulary(loader, what.substring("vocabulary:".length()));
          }
        };
    fields.requireNoOthers();
    requireRoom(what, answer);
    return answer;
  }

  static String length(DataLoader loader) {
    return Json.object(json -> json.writeNumberProperty("length", loader.batchesPerEpoch()));
  }

  static String rows(DataLoader loader) {
    return Json.object(json ->
        loader
            .rowsPerEpoch()
            .ifPresentOrElse(
                rows -> json.writeNumberProperty("rows", rows),
                () -> json.writeNullProperty("rows")));
  }

  private static String plan(DataLoader loader, long epoch) {
    return Json.object(json -> {
      json.writeObjectPropertyStart("plan");
      PlanJson.write(json, loader.dataset(), loader.options(), loader.plan(epoch).withoutPruned());
      json.writeEndObject();
    });
  }

  private static String stats(DataLoader loader, Received received) {
    LoaderStats stats = received.of(loader.stats());
    return Json.object(json -> {
      json.writeObjectPropertyStart("stats");
      EpochJson.numbers(json, stats, stats.rows(), stats.batches(), stats.times().nanos() / 1e9);
      EpochJson.parts(json, loader, stats);
      json.writeObjectPropertyStart("bottleneck");
      Json.message(json, stats.bottleneck());
      json.writeEndObject().writeEndObject();
    });
  }

  private static String report(DataLoader loader) throws IOException {
    StringBuilder page = new StringBuilder();
    ReportPage.write(Report.of(loader).json(), page);
    return Json.object(json -> json.writeStringProperty("report", page.toString()));
  }

  private static String vocabulary(DataLoader loader, String column) {
    return Json.object(json -> {
      json.writeArrayPropertyStart("vocabulary");
      loader.vocabulary(column).texts().forEach(json::writeString);
      json.writeEndArray();
    });
  }

  private static void requireRoom(String what, String answer) {
    if (answer.length() <= LENGTH_MAX / UTF8_MAX) {
      return;
    }
    int bytes = answer.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > LENGTH_MAX) {
      throw new IllegalStateException(
          "Cannot answer '"
              + what
              + "': the answer has "
              + bytes
              + " bytes but a frame has room for "
              + LENGTH_MAX
              + ". Use the command, such as penstock plan --json.");
    }
  }
}
