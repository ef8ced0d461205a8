package dev.penstock.internal.request;

import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonFields.WrongFieldException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/// What values an option has.
///
/// @param <V> the value in Java
/// @param kind the check in Python, a function of `_checks.py`; it also says how the command takes
///   the value
/// @param expected what is expected, in the words of Python
/// @param least the least number
/// @param most the greatest number
/// @param choices the texts that are allowed; empty if any is, or if it takes no text
/// @param read takes it from a request
/// @param shown the value as JSON has it: a text, a boolean, a number, a list or a map
public record Form<V>(
    String kind,
    String expected,
    long least,
    long most,
    List<String> choices,
    BiFunction<JsonFields, String, V> read,
    Function<V, Object> shown) {
  static <V> Form<V> of(
      String kind,
      String expected,
      BiFunction<JsonFields, String, V> read,
      Function<V, Object> shown) {
    return new Form<>(kind, expected, 0, 0, List.of(), read, shown);
  }

  /// Returns a form whose values are texts that are parsed.
  static <V> Form<V> parsed(
      String kind, String expected, Function<String, V> parse, Function<V, Object> shown) {
    return of(kind, expected, (fields, name) -> parse.apply(fields.text(name)), shown);
  }

  /// Returns a form that only clients know.
  static Form<Void> ofClient(String kind, String expected, String... choices) {
    return new Form<>(
        kind,
        expected,
        0,
        0,
        List.of(choices),
        (_, name) -> {
          throw new IllegalStateException(
              "Cannot read " + name + ": requests have no such option.");
        },
        none -> none);
  }

  static Form<Integer> integer(int least, int most) {
    Form<Long> whole = whole(least, most);
    return new Form<>(
        whole.kind,
        whole.expected,
        least,
        most,
        List.of(),
        whole.read.andThen(Long::intValue),
        each -> each);
  }

  static Form<Long> whole(long least) {
    return whole(least, Long.MAX_VALUE);
  }

  static Form<Long> whole(long least, long most) {
    return new Form<>(
        "whole",
        "a whole number" + (least == Long.MIN_VALUE ? "" : " of at least " + least),
        least,
        most,
        List.of(),
        (fields, name) -> fields.whole(name, least, most),
        each -> each);
  }

  /// Returns a form for seconds from 0 to `most`.
  static Form<Duration> seconds(String expected, long most) {
    return new Form<>(
        "seconds",
        expected,
        0,
        most,
        List.of(),
        (fields, name) -> {
          double number = fields.number(name);
          if (number < 0 || number > most) {
            throw new WrongFieldException(
                name + " must be from 0 to " + most + ", got " + number + ".",
                Double.toString(number),
                "a number of seconds from 0 to " + most);
          }
          return Duration.ofNanos((long) (number * 1e9));
        },
        each -> each.toNanos() / 1e9);
  }

  static Form<Boolean> truth() {
    return of("truth", "True or False", JsonFields::bool, each -> each);
  }

  static Form<String> text(String expected) {
    return text("text", expected);
  }

  static Form<String> text(String kind, String expected) {
    return of(kind, expected, JsonFields::text, each -> each);
  }

  static Form<List<String>> names(String kind, String expected) {
    return of(kind, expected, JsonFields::texts, each -> each);
  }

  /// Returns a form for objects of texts, in order.
  static Form<Map<String, String>> texts(String expected) {
    return of("texts", expected, (fields, name) -> fields.textsByName(name), each -> each);
  }

  /// Returns a form for objects of texts that are shown nowhere.
  static Form<Map<String, String>> secrets(String expected) {
    return of(
        "secrets",
        expected,
        texts(expected).read,
        each -> {
          Map<String, Object> hidden = new LinkedHashMap<>();
          each.keySet().forEach(key -> hidden.put(key, "***"));
          return hidden;
        });
  }

  /// Returns a form for values by column; `""` stands for all columns.
  static <V> Form<Map<String, V>> byColumn(
      String kind,
      String expected,
      List<String> choices,
      Function<String, V> parse,
      Function<V, String> shown) {
    return new Form<>(
        kind,
        expected,
        0,
        0,
        choices,
        (fields, name) -> {
          Map<String, V> values = new LinkedHashMap<>();
          fields.textsByName(name).forEach((column, text) -> values.put(column, parse.apply(text)));
          return values;
        },
        each -> {
          Map<String, Object> texts = new LinkedHashMap<>();
          each.forEach((column, value) -> texts.put(column, shown.apply(value)));
          return texts;
        });
  }

  /// Returns a form for constants of an enum by column.
  static <E extends Enum<E>> Form<Map<String, E>> byColumn(Class<E> type) {
    List<String> choices = Arrays.stream(type.getEnumConstants()).map(Form::spelled).toList();
    return byColumn(
        "choice_by_column",
        "one of " + quoted(choices) + OR_BY_COLUMN,
        choices,
        text ->
            Arrays.stream(type.getEnumConstants())
                .filter(each -> spelled(each).equals(text))
                .findFirst()
                .orElseThrow(() -> wrong("Cannot use", text, "one of " + quoted(choices))),
        Form::spelled);
  }

  static final String OR_BY_COLUMN = "; or a dict from column to one of these";

  /// Returns a form for a text that is one of several, in this order.
  static <V> Form<V> choice(Map<String, V> choices) {
    List<String> texts = List.copyOf(choices.keySet());
    String expected = (texts.size() == 1 ? "" : "one of ") + quoted(texts);
    return new Form<>(
        "choice",
        expected,
        0,
        0,
        texts,
        (fields, name) -> {
          String text = fields.text(name);
          V chosen = choices.get(text);
          if (chosen == null) {
            throw wrong("Cannot use " + name, text, expected);
          }
          return chosen;
        },
        value ->
            choices.entrySet().stream()
                .filter(each -> each.getValue().equals(value))
                .findFirst()
                .map(Map.Entry::getKey)
                .orElseGet(value::toString));
  }

  static <E extends Enum<E>> Form<E> choice(Class<E> type) {
    Map<String, E> choices = new LinkedHashMap<>();
    Arrays.stream(type.getEnumConstants()).forEach(each -> choices.put(spelled(each), each));
    return choice(choices);
  }

  private static WrongFieldException wrong(String what, String found, String expected) {
    return new WrongFieldException(
        what + " '" + found + "': expected " + expected + ".", "'" + found + "'", expected);
  }

  /// Returns the form with other choices in Python.
  Form<V> inPython(String... texts) {
    List<String> others = List.of(texts);
    return new Form<>(kind, "one of " + quoted(others), least, most, others, read, shown);
  }

  private static String spelled(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  static String quoted(List<String> texts) {
    List<String> all = new ArrayList<>();
    texts.forEach(text -> all.add('"' + text + '"'));
    return String.join(", ", all);
  }
}
