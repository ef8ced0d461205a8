package dev.penstock.serve;

import dev.penstock.internal.document.JsonFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/// An option that clients set: a row of [ClientOptions].
///
/// @param <V> its value in Java
/// @param owner the class of the Python package that takes it
/// @param name its name in a request, which is Java's; empty if the client keeps it to itself
/// @param python its name in Python
/// @param form what values it has
/// @param example a value, as Python writes it
/// @param usual the default: as Python writes it, or in words; empty if a value is required or
///   nothing is done without one
/// @param sentence what it is
record Option<V>(
    Owner owner,
    String name,
    String python,
    Form<V> form,
    String example,
    String usual,
    String sentence) {
  /// The classes of the Python package that take options.
  enum Owner {
    LOADER("Loader", "_loader.py"),
    DATASET("Dataset", "_dataset.py"),
    MIXTURE("Mixture", "_mixture.py"),
    BUCKETS("Buckets", "_compose.py"),
    PACKS("Packs", "_compose.py"),
    GROUPS("Groups", "_compose.py"),
    WINDOWS("Windows", "_compose.py"),
    DRAWS("Draws", "_compose.py");

    final String python;
    final String file;

    Owner(String python, String file) {
      this.python = python;
      this.file = file;
    }
  }

  /// What values an option has.
  ///
  /// @param <V> the value in Java
  /// @param kind the check in Python, a function of `_checks.py`
  /// @param expected what is expected, for errors and documents
  /// @param least the least number
  /// @param most the greatest number
  /// @param choices the texts that are allowed; empty if any is, or if it takes no text
  /// @param read takes it from a request
  record Form<V>(
      String kind,
      String expected,
      long least,
      long most,
      List<String> choices,
      BiFunction<JsonFields, String, V> read) {
    static <V> Form<V> of(String kind, String expected, BiFunction<JsonFields, String, V> read) {
      return new Form<>(kind, expected, 0, 0, List.of(), read);
    }

    /// Returns a form that only clients know.
    static Form<Void> ofClient(String kind, String expected) {
      return of(
          kind,
          expected,
          (_, name) -> {
            throw new IllegalStateException(
                "Cannot read " + name + ": requests have no such option.");
          });
    }

    static Form<Integer> integer(int least) {
      return whole(least, Integer.MAX_VALUE, JsonFields::whole, Long::intValue);
    }

    static Form<Long> whole(long least) {
      return whole(least, Long.MAX_VALUE, JsonFields::whole, Function.identity());
    }

    private interface Whole {
      long take(JsonFields fields, String name, long least, long most);
    }

    private static <V> Form<V> whole(long least, long most, Whole take, Function<Long, V> value) {
      String expected = "a whole number" + (least == Long.MIN_VALUE ? "" : " of at least " + least);
      return new Form<>(
          "whole",
          expected,
          least,
          most,
          List.of(),
          (fields, name) -> value.apply(take.take(fields, name, least, most)));
    }

    /// Returns a form for numbers from 0 to `most`.
    static Form<Double> number(String kind, String expected, long most) {
      return new Form<>(
          kind,
          expected,
          0,
          most,
          List.of(),
          (fields, name) -> {
            double number = fields.number(name);
            if (number < 0 || number > most) {
              throw new IllegalArgumentException(
                  name + " must be from 0 to " + most + ", got " + number + ".");
            }
            return number;
          });
    }

    static Form<Boolean> truth() {
      return of("truth", "True or False", JsonFields::bool);
    }

    static Form<String> text(String expected) {
      return of("text", expected, JsonFields::text);
    }

    static Form<List<String>> names() {
      return of("names", "a list of names of columns", JsonFields::texts);
    }

    /// Returns a form for objects of texts, in order.
    static Form<Map<String, String>> texts(String expected) {
      return of("texts", expected, Form::texts);
    }

    /// Returns a form for texts by column, each from a list; `""` stands for all columns.
    static Form<Map<String, String>> byColumn(String kind, String expected, List<String> choices) {
      return new Form<>(kind, expected, 0, 0, choices, Form::texts);
    }

    static Form<List<?>> list(String kind, String expected, List<String> choices) {
      return new Form<>(kind, expected, 0, 0, choices, JsonFields::list);
    }

    private static Map<String, String> texts(JsonFields fields, String name) {
      Map<String, String> texts = new LinkedHashMap<>();
      Map<?, ?> object = fields.object(name);
      JsonFields each = new JsonFields(Request.SUBJECT, name, object);
      for (Object key : new ArrayList<>(object.keySet())) {
        texts.put((String) key, each.text((String) key));
      }
      return texts;
    }

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
              throw new IllegalArgumentException(
                  "Cannot use " + name + " '" + text + "': expected " + expected + ".");
            }
            return chosen;
          });
    }

    static <E extends Enum<E>> Form<E> choice(Class<E> type) {
      Map<String, E> choices = new LinkedHashMap<>();
      Arrays.stream(type.getEnumConstants()).forEach(each -> choices.put(spelled(each), each));
      return choice(choices);
    }

    /// Returns the constant of an enum that a text stands for.
    static <E extends Enum<E>> E choice(Class<E> type, String text) {
      return Arrays.stream(type.getEnumConstants())
          .filter(each -> spelled(each).equals(text))
          .findFirst()
          .orElseThrow(() ->
              new IllegalArgumentException(
                  "Cannot use '"
                      + text
                      + "': expected one of "
                      + quoted(Option.texts(type))
                      + "."));
    }

    /// Returns the form with other choices in Python.
    Form<V> inPython(List<String> texts) {
      return new Form<>(kind, "one of " + quoted(texts), least, most, texts, read);
    }
  }

  /// Returns the texts of an enum's constants.
  static <E extends Enum<E>> List<String> texts(Class<E> type) {
    return Arrays.stream(type.getEnumConstants()).map(Option::spelled).toList();
  }

  private static String spelled(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  static String quoted(List<String> texts) {
    return texts.stream().map(text -> "\"" + text + "\"").reduce((a, b) -> a + ", " + b).orElse("");
  }

  /// Returns whether a request has it.
  boolean isIn(JsonFields fields) {
    return fields.has(name);
  }

  /// Takes it from a request.
  ///
  /// @throws WrongOptionException if it is missing, or wrong
  V of(JsonFields fields) {
    return naming(() -> form.read.apply(fields, name));
  }

  /// Takes it from a request; the default if it is missing.
  V of(JsonFields fields, V otherwise) {
    return isIn(fields) ? of(fields) : otherwise;
  }

  /// Sets it as a request says; nothing if it is missing there.
  ///
  /// @throws WrongOptionException if it is wrong
  <T> T set(T target, JsonFields fields, BiFunction<T, V, T> set) {
    return isIn(fields) ? set(target, of(fields), set) : target;
  }

  /// Sets what was taken from a request.
  ///
  /// @throws WrongOptionException if it is wrong
  <T> T set(T target, V value, BiFunction<T, V, T> set) {
    return naming(() -> set.apply(target, value));
  }

  /// Runs a step whose errors are about this option.
  private <T> T naming(Supplier<T> step) {
    try {
      return step.get();
    } catch (WrongOptionException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new WrongOptionException(name, e);
    }
  }
}
