package dev.penstock.internal.request;

import dev.penstock.Mixture;
import dev.penstock.Mixture.Weights;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Vocabulary;
import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.request.LoadRequest.Compose;
import dev.penstock.internal.request.LoadRequest.Source;
import dev.penstock.schema.MissingColumns;
import dev.penstock.spi.catalog.TableTime;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// The forms that one option alone has.
final class OptionForms {
  private static final String TEXT = "text:"; // begins a text that replaces nulls

  static final Form<Shuffle> SHUFFLE =
      Form.parsed(
          "shuffle",
          "True, False, \"splits\", \"window:ROWS\" or Window(ROWS)",
          Shuffle::parse,
          Shuffle::toString);
  static final Form<Compose> COMPOSE =
      Form.of(
          "compose",
          "one of Buckets, Packs, Groups, Windows and Draws",
          RequestJson::compose,
          RequestJson::shown);
  static final Form<Rank> RANK =
      Form.parsed(
          "rank", "(rank, world), with rank from 0 and below world", Rank::parse, Rank::toString);
  static final Form<Duration> SECONDS = Form.seconds("a number of seconds, 0 or more", 1L << 32);
  static final Form<Map<String, List<String>>> FEATURES =
      Form.of(
          "features",
          "a dict from the name of a feature matrix to a list of columns",
          OptionForms::features,
          OptionForms::shownFeatures);
  static final Form<Map<String, NullPolicy>> NULLS =
      Form.byColumn(
          "nulls",
          "\"nan\", \"mask\", \"error\", a number or a text that replaces nulls"
              + Form.OR_BY_COLUMN,
          List.of("nan", "mask", "error"),
          text ->
              text.startsWith(TEXT)
                  ? NullPolicy.fill(text.substring(TEXT.length()))
                  : NullPolicy.parse(text),
          policy ->
              policy instanceof NullPolicy.FillText text ? TEXT + text.value() : policy.toString());
  static final Form<Map<String, StringEncoding>> STRINGS =
      new Form<>(
          "strings",
          "a dict from column to \"list\", \"codes\", Codes(vocabulary=[...], unknown=0) or"
              + " Hashed(buckets=1000)",
          0,
          0,
          List.of("list", "codes"),
          OptionForms::strings,
          OptionForms::shownStrings);
  static final Form<Void> LISTS =
      Form.ofClient(
          "lists",
          "\"ragged\", \"block\", \"padded\" or Padded(value=0, length=128)" + Form.OR_BY_COLUMN,
          "ragged",
          "block",
          "padded");
  static final Form<String> WHERE =
      Form.text("anything", "a text, an expression of pyarrow or pyiceberg, or a list of these");
  static final Form<MissingColumns> MISSING =
      Form.choice(
          OptionTable.ordered("error", MissingColumns.error(), "nulls", MissingColumns.nulls()));
  static final Form<Instant> TIME =
      Form.parsed(
          "time",
          "a datetime, or a text in the form of ISO 8601",
          TableTime::parse,
          Instant::toString);
  static final Form<List<Source>> SOURCES =
      Form.of(
          "sources",
          "datasets, or locations, and their weights",
          RequestJson::sources,
          RequestJson::shownSources);
  static final Form<Double> WEIGHT =
      Form.of("number", "a number", (fields, name) -> fields.number(name), each -> each);
  static final Form<List<Weights>> WEIGHTS_FROM =
      Form.of(
          "anything",
          "a dict from row to the weights of all sources",
          OptionForms::weightsFrom,
          OptionForms::shownWeights);

  private OptionForms() {}

  static Mixture weightsFrom(Mixture mixture, List<Weights> all) {
    Mixture changed = mixture;
    for (Weights each : all) {
      double[] weights = each.weights().stream().mapToDouble(Double::doubleValue).toArray();
      changed = changed.weightsFrom(each.row(), weights);
    }
    return changed;
  }

  static List<Weights> weightsFrom(JsonFields fields, String name) {
    List<Weights> all = new ArrayList<>();
    for (Object each : fields.list(name)) {
      JsonFields later = fields.element("the weights from a row", each);
      long row = later.whole("row", 1, Long.MAX_VALUE);
      all.add(new Weights(row, later.numbers("weights")));
      later.requireNoOthers();
    }
    return all;
  }

  static Object shownWeights(List<Weights> all) {
    return all.stream().map(each -> Map.of("row", each.row(), "weights", each.weights())).toList();
  }

  static Map<String, List<String>> features(JsonFields fields, String name) {
    Map<String, List<String>> all = new LinkedHashMap<>();
    for (Object each : fields.list(name)) {
      JsonFields matrix = fields.element("a matrix of features", each);
      all.put(matrix.text("name"), matrix.texts("columns"));
      matrix.requireNoOthers();
    }
    return all;
  }

  static Object shownFeatures(Map<String, List<String>> all) {
    List<Map<String, ?>> matrices = new ArrayList<>();
    all.forEach((name, columns) -> matrices.add(Map.of("name", name, "columns", columns)));
    return matrices;
  }

  static Map<String, StringEncoding> strings(JsonFields fields, String name) {
    Map<String, StringEncoding> all = new LinkedHashMap<>();
    for (Object each : fields.list(name)) {
      JsonFields column = fields.element("a column of strings", each);
      all.put(column.text("column"), encoding(column));
    }
    return all;
  }

  private static StringEncoding encoding(JsonFields column) {
    String form = column.text("form");
    StringEncoding encoding =
        switch (form) {
          case "list" -> StringEncoding.list();
          case "codes" ->
              new StringEncoding.Codes(
                  column.has("vocabulary")
                      ? Optional.of(Vocabulary.of(column.texts("vocabulary")))
                      : Optional.empty(),
                  column.has("unknown")
                      ? OptionalInt.of(column.integer("unknown"))
                      : OptionalInt.empty());
          case "hash" -> StringEncoding.hash(column.integer("buckets"));
          default ->
              throw new IllegalArgumentException(
                  "Cannot deliver strings as '" + form + "': expected list, codes or hash.");
        };
    column.requireNoOthers();
    return encoding;
  }

  static Object shownStrings(Map<String, StringEncoding> all) {
    List<Map<String, Object>> columns = new ArrayList<>();
    all.forEach((name, encoding) -> {
      Map<String, Object> column = new LinkedHashMap<>();
      column.put("column", name);
      column.put("form", encoding instanceof StringEncoding.Hash ? "hash" : encoding.toString());
      switch (encoding) {
        case StringEncoding.Listed _ -> {}
        case StringEncoding.Hash hash -> column.put("buckets", hash.buckets());
        case StringEncoding.Codes codes -> {
          codes.vocabulary().ifPresent(texts -> column.put("vocabulary", texts.texts()));
          codes.unknown().ifPresent(code -> column.put("unknown", code));
        }
      }
      columns.add(column);
    });
    return columns;
  }
}
