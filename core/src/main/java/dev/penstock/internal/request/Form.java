package dev.penstock.internal.request;

import dev.penstock.internal.document.JsonFields;
import dev.penstock.internal.document.JsonFields.WrongFieldException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

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
  static final String OR_BY_COLUMN = "; or a dict from column to one of these";

  static <V> Form<V> of(
      String kind,
      String expected,
      BiFunction<JsonFields, String, V> read,
      Function<V, Object> shown) {
    return new Form<>(kind, expected, 0, 0, List.of(), read, shown);
  }

  private Form<V> within(long min, long max) {
    return new Form<>(kind, expected, min, max, choices, read, shown);
  }

  Form<V> choosing(List<String> texts) {
    return new Form<>(kind, expected, least, most, texts, read, shown);
  }

  /// Returns the form with other choices in Python.
  Form<V> inPython(String... texts) {
    String others = "one of " + quoted(List.of(texts));
    return new Form<>(kind, others, least, most, List.of(texts), read, shown);
  }

  /// Returns a form whose values are texts that are parsed.
  static <V> Form<V> parsed(String kind, String expected, Function<String, V> parse) {
    return of(kind, expected, (fields, name) -> parse.apply(fields.text(name)), Object::toString);
  }

  static Form<Integer> integer(int least, int most) {
    Form<Long> whole = whole(least, most);
    return Form.<Integer>of(
            whole.kind, whole.expected, whole.read.andThen(Long::intValue), each -> each)
        .within(least, most);
  }

  static Form<Long> whole(long least, long most) {
    String expected = "a whole number" + (least == Long.MIN_VALUE ? "" : " of at least " + least);
    return Form.<Long>of(
            "whole", expected, (fields, name) -> fields.whole(name, least, most), each -> each)
        .within(least, most);
  }

  /// Returns a form for seconds from 0 to `most`. Less than a nanosecond is one: 0 means something
  /// else.
  static Form<Duration> seconds(String expected, long most) {
    return Form.<Duration>of(
            "seconds",
            expected,
            (fields, name) -> {
              double number = fields.number(name);
              if (number < 0 || number > most) {
                throw new WrongFieldException(
                    name + " must be from 0 to " + most + ", got " + number + ".",
                    Double.toString(number),
                    "a number of seconds from 0 to " + most);
              }
              long least = number > 0 ? 1 : 0;
              return Duration.ofNanos(Math.max(least, Math.round(number * 1e9)));
            },
            each -> each.toNanos() / 1e9)
        .within(0, most);
  }

  static Form<Boolean> truth() {
    return of("truth", "True or False", JsonFields::bool, each -> each);
  }

  static Form<String> text(String kind, String expected) {
    return of(kind, expected, JsonFields::text, each -> each);
  }

  static Form<List<String>> names(String kind, String expected) {
    return of(kind, expected, JsonFields::texts, each -> each);
  }

  /// Returns a form for objects of texts, in order.
  static Form<Map<String, String>> texts(String expected) {
    return of("texts", expected, JsonFields::textsByName, each -> each);
  }

  /// Returns a form for objects of texts that are shown nowhere.
  static Form<Map<String, String>> secrets(String expected) {
    return of("secrets", expected, JsonFields::textsByName, each -> changed(each, _ -> "***"));
  }

  /// Returns a form for values by column; `""` stands for all columns.
  static <V> Form<Map<String, V>> byColumn(
      String kind, String expected, Function<String, V> parse, Function<V, String> shown) {
    return of(
        kind,
        expected + OR_BY_COLUMN,
        (fields, name) -> changed(fields.textsByName(name), parse),
        each -> changed(each, shown));
  }

  private static <V, W> Map<String, W> changed(Map<String, V> values, Function<V, W> change) {
    Map<String, W> changed = new LinkedHashMap<>();
    values.forEach((name, value) -> changed.put(name, change.apply(value)));
    return changed;
  }

  /// Returns a form for constants of an enum by column.
  static <E extends Enum<E>> Form<Map<String, E>> byColumn(Class<E> type) {
    List<E> values = List.of(type.getEnumConstants());
    List<String> texts = values.stream().map(Form::spelled).toList();
    String expected = "one of " + quoted(texts);
    return byColumn(
            "choice_by_column",
            expected,
            text -> chosen("Cannot use", text, values, Form::spelled, expected),
            Form::spelled)
        .choosing(texts);
  }

  /// Returns a form for a value that is one of several, in this order.
  static <V> Form<V> choice(List<V> values, Function<V, String> spelled) {
    List<String> texts = values.stream().map(spelled).toList();
    String expected = (texts.size() == 1 ? "" : "one of ") + quoted(texts);
    return Form.<V>of(
            "choice",
            expected,
            (fields, name) ->
                chosen("Cannot use " + name, fields.text(name), values, spelled, expected),
            spelled::apply)
        .choosing(texts);
  }

  static <E extends Enum<E>> Form<E> choice(Class<E> type) {
    return choice(List.of(type.getEnumConstants()), Form::spelled);
  }

  private static <V> V chosen(
      String what, String text, List<V> values, Function<V, String> spelled, String expected) {
    return values.stream()
        .filter(each -> spelled.apply(each).equals(text))
        .findFirst()
        .orElseThrow(() ->
            new WrongFieldException(
                what + " '" + text + "': expected " + expected + ".", "'" + text + "'", expected));
  }

  static String spelled(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static String quoted(List<String> texts) {
    return texts.stream().collect(Collectors.joining("\", \"", "\"", "\""));
  }
}
