package dev.penstock.serve;

import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonTree;
import dev.penstock.internal.request.Opening;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// What a client asks to be scored, with itself as the model: the JSON of a `SCORE` frame.
///
/// @param reading the table, how it is read and by how many workers, the rank, and the memory that
///   is shared
/// @param out the folder of the scores
/// @param storage options of the store that has it
/// @param keys columns that tell rows apart
/// @param columns columns that are written behind them
/// @param inputs the columns of each input: one as it is, or several for a matrix; empty if the
///   client gets all columns
/// @param version what tells the client's model from another
/// @param skips whether rows that the model fails for are skipped
/// @param partRows the most rows of a part; empty for the usual
/// @param isCheck whether what is there is compared with the table, and nothing is written
record ScoreRequest(
    Request reading,
    String out,
    Map<String, String> storage,
    List<String> keys,
    List<String> columns,
    Map<String, Input> inputs,
    String version,
    boolean skips,
    OptionalLong partRows,
    boolean isCheck) {
  /// What an input is made of.
  ///
  /// @param isMatrix whether it has a row of numbers for each row, even of one column
  record Input(List<String> columns, boolean isMatrix) {}

  /// Reads a request. It may open a table.
  ///
  /// @param keeper opens what others may have open
  /// @throws IllegalArgumentException if an option is wrong
  static ScoreRequest parse(String text, Opening.Keeper keeper) {
    JsonFields fields = JsonTree.read("what to score", text);
    JsonFields scores = fields.nested("scores");
    Request reading = Request.of(fields, keeper, true);
    fields.requireNoOthers();
    Map<String, String> storage = scores.has("storage") ? scores.textsByName("storage") : Map.of();
    AbsolutePaths.storage(storage);
    ScoreRequest asked =
        new ScoreRequest(
            reading,
            AbsolutePaths.location("out", scores.text("out")),
            storage,
            texts(scores, "keys"),
            texts(scores, "columns"),
            scores.has("inputs") ? inputs(scores) : Map.of(),
            scores.has("version") ? scores.text("version") : "",
            scores.has("onError") && skips(scores.text("onError")),
            scores.has("partRows")
                ? OptionalLong.of(scores.whole("partRows", 1, Long.MAX_VALUE))
                : OptionalLong.empty(),
            scores.has("check") && scores.bool("check"));
    scores.requireNoOthers();
    return asked;
  }

  private static List<String> texts(JsonFields scores, String field) {
    return scores.has(field) ? scores.texts(field) : List.of();
  }

  private static boolean skips(String onError) {
    return switch (onError) {
      case "stop" -> false;
      case "skip" -> true;
      default ->
          throw new IllegalArgumentException(
              "Cannot use onError '" + onError + "': expected stop or skip.");
    };
  }

  private static Map<String, Input> inputs(JsonFields scores) {
    Map<String, Input> inputs = new LinkedHashMap<>();
    scores
        .object("inputs")
        .forEach((name, of) -> inputs.put((String) name, input((String) name, of)));
    return inputs;
  }

  private static Input input(String name, Object of) {
    if (of instanceof String column) {
      return new Input(List.of(column), false);
    }
    List<String> columns = new ArrayList<>();
    if (of instanceof List<?> several) {
      for (Object each : several) {
        if (each instanceof String column) {
          columns.add(column);
        }
      }
      if (columns.size() == several.size() && !columns.isEmpty()) {
        return new Input(columns, true);
      }
    }
    throw new IllegalArgumentException(
        "Cannot feed input '"
            + name
            + "' with "
            + of
            + ": expected a column, or a list of columns.");
  }
}
