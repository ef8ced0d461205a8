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
import java.util.function.Function;

/// The forms that one option alone has.
final class OptionForms {
  private static final String TEXT = "text:"; // begins a text that replaces nulls

  static final Form<Shuffle> SHUFFLE =
      Form.parsed(
          "shuffle", "True, False, \"splits\", \"window:ROWS\" or Window(ROWS)", Shuffle::parse);
  static final Form<Compose> COMPOSE =
      Form.of(
          "compose",
          "one of Balanced, Buckets, Packs, Groups, Windows and Draws",
          RequestJson::compose,
          RequestJson::shown);
  static final Form<Rank> RANK =
      Form.parsed("rank", "(rank, world), with rank from 0 and below world", Rank::parse);
  static final Form<Duration> SECONDS = Form.seconds("a number of seconds, 0 or more", 1L << 32);
  static final Form<Map<String, List<String>>> FEATURES =
      Form.of(
          "features",
          "a dict from the name of a feature matrix to a list of columns",
          (fields, name) ->
              byName(fields, name, "a matrix of features", "name", each -> each.texts("columns")),
          all ->
              all.entrySet().stream()
                  .map(each -> Map.of("name", each.getKey(), "columns", each.getValue()))
                  .toList());
  static final Form<Map<String, NullPolicy>> NULLS =
      Form.byColumn(
              "nulls",
              "\"nan\", \"mask\", \"error\", a number or a text that replaces nulls",
              text ->
                  text.startsWith(TEXT)
                      ? NullPolicy.fill(text.substring(TEXT.length()))
                      : NullPolicy.parse(text),
              policy ->
                  policy instanceof NullPolicy.FillText text
                      ? TEXT + text.value()
                      : policy.toString())
          .choosing(List.of("nan", "mask", "error"));
  static final Form<Map<String, StringEncoding>> STRINGS =
      Form.of(
              "strings",
              "a dict from column to \"list\", \"codes\", Codes(vocabulary=[...], unknown=0) or"
                  + " Hashed(buckets=1000)",
              (fields, name) ->
                  byName(fields, name, "a column of strings", "column", OptionForms::encoding),
              OptionForms::shownStrings)
          .choosing(List.of("list", "codes"));
  static final Form<String> LISTS =
      Form.text(
              "lists",
              "\"ragged\", \"block\", \"padded\" or Padded(value=0, length=128)"
                  + Form.OR_BY_COLUMN)
          .choosing(List.of("ragged", "block", "padded"));
  static final Form<String> WHERE =
      Form.text("anything", "a text, an expression of pyarrow or pyiceberg, or a list of these");
  static final Form<MissingColumns> MISSING =
      Form.choice(
          List.of(MissingColumns.error(), MissingColumns.nulls()), MissingColumns::toString);
  static final Form<Instant> TIME =
      Form.parsed("time", "a datetime, or a text in the form of ISO 8601", TableTime::parse);
  static final Form<List<Source>> SOURCES =
      objects(
          "sources",
          "datasets, or locations, and their weights",
          "a source of the mixture",
          each -> RequestJson.readAll(Source.class, each),
          RequestJson::shown);
  static final Form<Double> WEIGHT =
      Form.of("number", "a number", JsonFields::number, each -> each);
  static final Form<Double> QUADRATIC =
      Form.of("number", "a number of at least 0", JsonFields::positive, each -> each);
  static final Form<List<Weights>> WEIGHTS_FROM =
      objects(
          "anything",
          "a dict from row to the weights of all sources",
          "the weights from a row",
          each -> new Weights(each.whole("row", 1, Long.MAX_VALUE), each.numbers("weights")),
          each -> Map.of("row", each.row(), "weights", each.weights()));

  static final Form<List<LoadRequest.Tokenize>> TOKENIZE =
      objects(
          "tokenize",
          "a Tokenize, or a list of these",
          "a column to tokenise",
          each -> RequestJson.readAll(LoadRequest.Tokenize.class, each),
          RequestJson::shown);

  private OptionForms() {}

  private static <E> Form<List<E>> objects(
      String kind,
      String expected,
      String what,
      Function<JsonFields, E> read,
      Function<E, Object> shown) {
    return Form.of(
        kind,
        expected,
        (fields, name) -> fields.objects(name, what, read),
        all -> all.stream().map(shown).toList());
  }

  static Mixture weightsFrom(Mixture mixture, List<Weights> all) {
    Mixture changed = mixture;
    for (Weights each : all) {
      double[] weights = each.weights().stream().mapToDouble(Double::doubleValue).toArray();
      changed = changed.weightsFrom(each.row(), weights);
    }
    return changed;
  }

  /// Takes a list of objects, each named `what`, with a name in the field `key`.
  private static <V> Map<String, V> byName(
      JsonFields fields, String name, String what, String key, Function<JsonFields, V> value) {
    Map<String, V> all = new LinkedHashMap<>();
    fields
        .objects(name, what, each -> Map.entry(each.text(key), value.apply(each)))
        .forEach(each -> all.put(each.getKey(), each.getValue()));
    return all;
  }

  private static StringEncoding encoding(JsonFields column) {
    String form = column.text("form");
    return switch (form) {
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
