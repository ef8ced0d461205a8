package dev.penstock.cli;

import dev.penstock.cli.output.Numbers;
import dev.penstock.cli.output.Terminal;
import dev.penstock.score.ScoreCheck;
import dev.penstock.score.ScoreResult;
import dev.penstock.split.Rank;
import java.time.Duration;
import tools.jackson.core.JsonGenerator;

/// What `score` prints at its end, for people or for programs.
///
/// @param json whether for programs
record ScoreTexts(Terminal terminal, boolean json) {
  private static final double NANOS = 1e9;

  /// Prints what a check found to be right.
  void print(ScoreCheck check, String folder) {
    if (json) {
      terminal.printJson(json ->
          json.writeStartObject()
              .writeNumberProperty("parts", check.parts())
              .writeNumberProperty("rows", check.rows())
              .writeNumberProperty("skipped", check.skipped())
              .writeEndObject());
    } else {
      terminal.print(
          Numbers.count(check.rows(), "row")
              + " in "
              + Numbers.count(check.parts(), "part")
              + " of "
              + folder
              + (check.skipped() == 0 ? "" : ", " + check.skipped() + " skipped")
              + ": all as they were written, with the keys of the table\n");
    }
  }

  /// Prints what a run did.
  void print(ScoreResult result, Rank rank, int workers, String folder) {
    if (json) {
      terminal.printJson(json -> write(json, result));
    } else {
      terminal.print(text(result, rank, workers, folder));
    }
  }

  private static void write(JsonGenerator json, ScoreResult result) {
    json.writeStartObject()
        .writeNumberProperty("rows", result.rows())
        .writeNumberProperty("skipped", result.skipped())
        .writeNumberProperty("partsMade", result.parts())
        .writeNumberProperty("partsFound", result.found())
        .writeNumberProperty("parts", result.partsTotal())
        .writeNumberProperty("bytes", result.bytes())
        .writeNumberProperty("seconds", seconds(result.elapsed()))
        .writeNumberProperty("rowsPerSecond", rowsPerSecond(result))
        .writeNumberProperty("readSeconds", seconds(result.reading()))
        .writeNumberProperty("modelSeconds", seconds(result.scoring()))
        .writeNumberProperty("encodeSeconds", seconds(result.encoding()))
        .writeNumberProperty("storeSeconds", seconds(result.storing()))
        .writeBooleanProperty("complete", result.isComplete())
        .writeEndObject();
  }

  private static String text(ScoreResult result, Rank rank, int workers, String folder) {
    StringBuilder text = new StringBuilder();
    text.append(Numbers.count(result.rows(), "row"))
        .append(" in ")
        .append(Numbers.fixed(seconds(result.elapsed()), 2))
        .append(" s, ")
        .append(Numbers.rate(rowsPerSecond(result)))
        .append(" rows/s, with ")
        .append(Numbers.count(workers, "worker"))
        .append(rank.count() == 1 ? "" : ", as rank " + rank)
        .append('\n')
        .append(Numbers.count(result.parts(), "part"))
        .append(" made, ")
        .append(Numbers.bytes(result.bytes()))
        .append(", ")
        .append(result.found())
        .append(" found\n");
    if (result.parts() > 0) {
      text.append(shares(result));
    }
    if (result.skipped() > 0) {
      text.append(Numbers.count(result.skipped(), "row"))
          .append(" skipped, listed with file, row and reason in ")
          .append(folder)
          .append("/_skipped\n");
    }
    return text.append(next(result, rank, folder)).toString();
  }

  private static String shares(ScoreResult result) {
    Duration all =
        result.reading().plus(result.scoring()).plus(result.encoding()).plus(result.storing());
    return "reading "
        + share(result.reading(), all)
        + ", model "
        + share(result.scoring(), all)
        + ", encoding "
        + share(result.encoding(), all)
        + ", storing "
        + share(result.storing(), all)
        + "\n";
  }

  private static String share(Duration part, Duration all) {
    return Numbers.percent((double) part.toNanos() / Math.max(1, all.toNanos()));
  }

  private static String next(ScoreResult result, Rank rank, String folder) {
    if (result.partsTotal() == 0) {
      return "there are no rows: nothing is written\n";
    }
    if (result.isComplete()) {
      return "complete: penstock score --check " + folder + " compares it with the table\n";
    }
    return rank.count() == 1
        ? "not complete: parts are missing; start the same command again\n"
        : "not complete: the other ranks of "
            + rank.count()
            + " make the rest, or the same command without --rank\n";
  }

  private static double rowsPerSecond(ScoreResult result) {
    return result.rows() / Math.max(1e-9, seconds(result.elapsed()));
  }

  private static double seconds(Duration time) {
    return time.toNanos() / NANOS;
  }
}
