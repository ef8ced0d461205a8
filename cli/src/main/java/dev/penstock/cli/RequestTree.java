package dev.penstock.cli;

import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.request.LoadRequest;
import dev.penstock.internal.request.LoadRequest.Compose;
import dev.penstock.internal.request.Option;
import dev.penstock.internal.request.OptionTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What was given on the command line, as the JSON of a request would say it.
final class RequestTree {
  /// What each composition needs, and what needs it.
  private static final List<Map.Entry<Option<?, ?>, Option<?, ?>>> COMPOSITIONS =
      List.of(
          Map.entry(OptionTable.BALANCED, OptionTable.of("Balanced", "quadratic")),
          Map.entry(OptionTable.of("Buckets", "column"), OptionTable.of("Buckets", "tokens")),
          Map.entry(OptionTable.of("Packs", "column"), OptionTable.of("Packs", "mode")),
          Map.entry(OptionTable.of("Groups", "column"), OptionTable.of("Windows", "length")),
          Map.entry(OptionTable.of("Draws", "column"), OptionTable.of("Draws", "numSamples")));

  private static final Option<?, ?> END = OptionTable.of("Tokenize", "end");

  private static final List<Option<?, ?>> COSTS =
      List.of(OptionTable.of("Balanced", "quadratic"), OptionTable.of("Balanced", "accumulate"));

  private static final Option<?, ?> WINDOWS = OptionTable.of("Windows", "length");

  private final RequestOptions given;

  RequestTree(RequestOptions given) {
    this.given = given;
  }

  Map<String, Object> fields() {
    Map<String, Object> loader = new LinkedHashMap<>();
    put(loader, "Loader", _ -> true);
    Map<String, Object> compose = compose();
    if (compose != null) {
      loader.put("compose", compose);
    }
    if (given.has(END) && !given.has(OptionTable.TOKENIZE)) {
      throw without(END, OptionTable.TOKENIZE);
    }
    return Map.of("dataset", dataset(), "loader", loader);
  }

  /// Puts the options that were given into an object.
  private void put(Map<String, Object> object, String owner, Predicate<Option<?, ?>> wanted) {
    for (Option<?, ?> option : OptionTable.of(owner)) {
      if (given.has(option) && wanted.test(option) && !isAuto(option)) {
        object.put(option.name(), value(option));
      }
    }
  }

  private boolean isAuto(Option<?, ?> option) {
    return option.equals(OptionTable.WORKERS) && given.text(option).equals("auto");
  }

  private Object value(Option<?, ?> option) {
    return switch (option.form().kind()) {
      case "truth" -> true;
      case "whole", "seconds", "number" -> JsonFields.numberOrText(given.text(option));
      case "names" -> given.texts(option);
      case "texts", "secrets" -> given.byKey(option);
      case "tokenize" -> given.texts(option).stream().map(this::tokenize).toList();
      case "nulls" -> Map.of("", given.text(option));
      case "choice" -> given.text(option).toLowerCase(Locale.ROOT);
      default -> given.text(option);
    };
  }

  private Map<String, Object> tokenize(String text) {
    int colon = text.indexOf(':');
    if (colon < 1 || colon == text.length() - 1) {
      throw new UsageException(
          "Cannot use --tokenize '%s': expected %s, such as text:tokenizer.json."
              .formatted(text, OptionTable.TOKENIZE.words().label()));
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("column", text.substring(0, colon));
    fields.put("tokenizer", text.substring(colon + 1));
    put(fields, "Tokenize", _ -> true);
    return fields;
  }

  private Map<String, Object> dataset() {
    boolean isBalanced = given.has(OptionTable.BALANCE);
    List<String> mixed = given.texts(OptionTable.SOURCES);
    Map<String, Object> mixture = new LinkedHashMap<>();
    put(
        mixture,
        "Mixture",
        option -> option.part() == LoadRequest.Mixed.class && !option.equals(OptionTable.SOURCES));
    if (!isBalanced && mixed.isEmpty()) {
      if (!mixture.isEmpty()) {
        throw new UsageException(
            "Cannot use --mix-stop or --mix-column without --mix or --balance.");
      }
      return files(given.uris(), true);
    }
    if (!mixed.isEmpty() && isBalanced) {
      throw new UsageException(
          "Cannot use --balance with --mix: balance one dataset, or mix some.");
    }
    if (!mixed.isEmpty() && (!given.uris().isEmpty() || isTable())) {
      throw new UsageException(
          "Cannot read locations or a table beside --mix: give each as --mix WEIGHT=URI.");
    }
    if (!mixed.isEmpty()) {
      mixture.put("sources", mixed.stream().map(this::source).toList());
    }
    if (isBalanced) {
      mixture.put(
          "balance",
          Map.of("column", given.text(OptionTable.BALANCE), "dataset", files(given.uris(), false)));
    }
    Map<String, Object> dataset = new LinkedHashMap<>();
    dataset.put("mixture", mixture);
    put(dataset, "Dataset", OptionTable.COLUMNS::equals);
    return dataset;
  }

  private Map<String, Object> source(String text) {
    String number = KeyValues.key("--mix", text);
    Object weight;
    try {
      weight = JsonFields.numberOrText(Double.toString(Double.parseDouble(number)));
    } catch (NumberFormatException e) {
      weight = number;
    }
    if (weight instanceof String) { // a word, or a number that is not finite
      throw new UsageException(
          "Cannot use --mix '" + text + "': expected WEIGHT=URI, such as 0.7=data/web.");
    }
    return Map.of("weight", weight, "dataset", files(List.of(KeyValues.value(text)), false));
  }

  private boolean isTable() {
    return given.has(OptionTable.TABLE) || given.has(OptionTable.METADATA);
  }

  private Map<String, Object> files(List<String> uris, boolean withColumns) {
    if (uris.isEmpty() && !isTable()) {
      throw new UsageException("Missing location: name at least one folder, file or glob to read.");
    }
    Map<String, Object> dataset = new LinkedHashMap<>();
    Map<String, Object> table = new LinkedHashMap<>();
    put(
        dataset,
        "Dataset",
        option ->
            option.part() != LoadRequest.Table.class
                && (withColumns || !option.equals(OptionTable.COLUMNS)));
    put(table, "Dataset", option -> option.part() == LoadRequest.Table.class);
    if (!uris.isEmpty()) {
      dataset.put("locations", uris);
    }
    if (!table.isEmpty()) {
      dataset.put("table", table);
    }
    return dataset;
  }

  private @Nullable Map<String, Object> compose() {
    List<Option<?, ?>> chosen = new ArrayList<>();
    for (Map.Entry<Option<?, ?>, Option<?, ?>> each : COMPOSITIONS) {
      if (given.has(each.getKey())) {
        chosen.add(each.getKey());
      } else if (given.has(each.getValue())) {
        throw without(each.getValue(), each.getKey());
      }
    }
    for (Option<?, ?> cost : COSTS) {
      if (given.has(cost) && !given.has(OptionTable.BALANCED)) {
        throw without(cost, OptionTable.BALANCED);
      }
    }
    boolean isBalanced = chosen.remove(OptionTable.BALANCED);
    if (chosen.size() > 1) {
      throw new UsageException(
          "Cannot use --bucket, --pack, --group-by and --weights together: choose one.");
    }
    if (!isBalanced) {
      return chosen.isEmpty() ? null : compose(chosen.getFirst());
    }
    return chosen.isEmpty() ? balanced() : balanced(chosen.getFirst());
  }

  private Map<String, Object> balanced() {
    if (given.text(OptionTable.BALANCED).isEmpty()) {
      throw new UsageException(
          "Cannot use --balanced without a column: give one, as in --balanced tokens, or use"
              + " --bucket or --pack.");
    }
    return compose(OptionTable.BALANCED);
  }

  private Map<String, Object> balanced(Option<?, ?> column) {
    if (!Set.of("Buckets", "Packs").contains(column.owner())) {
      throw new UsageException(
          "Cannot use --balanced with %s: it goes with --bucket, --pack or by itself."
              .formatted(CommandWords.name(column)));
    }
    Map<String, Object> fields = compose(column);
    String other = given.text(OptionTable.BALANCED);
    if (!other.isEmpty() && !other.equals(fields.get("column"))) {
      throw new UsageException(
          "Cannot use --balanced %s with %s: the column of that counts. Where a location follows,"
                  .formatted(other, CommandWords.name(column))
              + " write --balanced= in front of it.");
    }
    fields.put("balanced", true);
    put(fields, "Balanced", COSTS::contains);
    return fields;
  }

  private static UsageException without(Option<?, ?> option, Option<?, ?> needed) {
    return new UsageException(
        "Cannot use %s without %s."
            .formatted(CommandWords.name(option), CommandWords.name(needed)));
  }

  private Map<String, Object> compose(Option<?, ?> column) {
    Map<String, Object> fields = new LinkedHashMap<>();
    String text = given.text(column);
    Class<?> kind =
        given.has(WINDOWS) ? Compose.Windows.class : Objects.requireNonNull(column.part());
    fields.put("kind", kind.getSimpleName().toLowerCase(Locale.ROOT));
    fields.put("column", text);
    if (column.owner().equals("Packs")) {
      int colon = text.lastIndexOf(':');
      fields.put("column", text.substring(0, Math.max(0, colon)));
      fields.put("length", number(column, text, text.substring(colon + 1), colon > 0));
    } else if (given.has(WINDOWS)) {
      String window = given.text(WINDOWS);
      String[] numbers = window.split(":", -1);
      fields.put("length", number(WINDOWS, window, numbers[0], numbers.length == 2));
      fields.put(
          "stride", number(WINDOWS, window, numbers[numbers.length - 1], numbers.length == 2));
      return fields;
    }
    put(fields, column.owner(), option -> !option.equals(column));
    return fields;
  }

  private static Object number(Option<?, ?> option, String text, String number, boolean isForm) {
    Object value = JsonFields.numberOrText(number);
    if (!isForm || value instanceof String) {
      String example = option.owner().equals("Packs") ? "tokens:2048" : "64:16";
      throw new UsageException(
          "Cannot use %s '%s': expected %s, such as %s."
              .formatted(CommandWords.name(option), text, option.words().label(), example));
    }
    return value;
  }
}
