package dev.penstock.internal.document;

import dev.penstock.internal.choice.Choices;
import dev.penstock.internal.choice.Sentence;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/// The fields of a JSON object, each read once and checked: a field that is missing or of another
/// kind is an error.
public final class JsonFields {
  /// A number as it is written.
  record Digits(String text) {}

  /// The error for a fault of the text, as a complete sentence.
  public static final class WrongFieldException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String found;
    private final String expected;

    public WrongFieldException(String message) {
      this(message, "", "");
    }

    /// Makes the error of a field whose value is wrong.
    public WrongFieldException(String message, String found, String expected) {
      super(message);
      this.found = found;
      this.expected = expected;
    }

    /// Returns the value that was found; empty if the fault is another.
    public String found() {
      return found;
    }

    public String expected() {
      return expected;
    }
  }

  /// Returns what a text stands for that was not read from JSON: a number as JSON has it, or the
  /// text if it is none.
  public static Object numberOrText(String text) {
    return NUMBER.matcher(text).matches() ? new Digits(text) : text;
  }

  private static final Pattern NUMBER =
      Pattern.compile("[-+]?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

  private final String subject;
  private final String what;
  private final Map<Object, Object> left;

  /// Starts to read an object, named `what`, of a document; errors begin with "Cannot read
  /// `subject`: ".
  public JsonFields(String subject, String what, Object value) {
    this.subject = subject;
    this.what = what;
    if (!(value instanceof Map<?, ?> object)) {
      throw new WrongFieldException(
          Sentence.of(
              "Cannot read %s: %s is %s but expected an object.", subject, what, name(value)));
    }
    this.left = new LinkedHashMap<>(object);
  }

  public String what() {
    return what;
  }

  public String text(String field) {
    return as(String.class, field, take(field), "a string");
  }

  public boolean bool(String field) {
    return as(Boolean.class, field, take(field), "true or false");
  }

  private <T> T as(Class<T> kind, String field, Object value, String expected) {
    if (!kind.isInstance(value)) {
      throw wrong(field, value, expected);
    }
    return kind.cast(value);
  }

  public int integer(String field) {
    String expected = "a whole number of 32 bits";
    return (int) whole(field, take(field), Integer.MIN_VALUE, Integer.MAX_VALUE, expected);
  }

  public boolean has(String field) {
    return left.containsKey(field);
  }

  public long whole(String field, long least, long most) {
    return whole(field, take(field), least, most);
  }

  /// Checks a number in the list of a field.
  public long whole(String field, Object value, long least, long most) {
    return whole(field, value, least, most, "a whole number from " + least + " to " + most);
  }

  private long whole(String field, Object value, long least, long most, String expected) {
    if (value instanceof Digits(String digits)) {
      try {
        long number = Long.parseLong(digits);
        if (number >= least && number <= most) {
          return number;
        }
      } catch (NumberFormatException _) {
        // The value is shown below.
      }
    }
    throw wrong(field, value, expected);
  }

  /// Takes a value that is neither a list nor an object: a `String` or `Boolean`; a number as a
  /// `Long` if it is written as a whole one, else as a `Double`.
  public Object scalar(String field) {
    return scalar(field, take(field));
  }

  /// Checks such a value in the list of a field.
  public Object scalar(String field, Object value) {
    return switch (value) {
      case String _, Boolean _ -> value;
      case Digits(String digits) when digits.chars().noneMatch(each -> ".eE".indexOf(each) >= 0) ->
          whole(field, value, Long.MIN_VALUE, Long.MAX_VALUE, "a whole number of 64 bits");
      case Digits _ -> number(field, value);
      default -> throw wrong(field, value, "a string, a number, true or false");
    };
  }

  /// Returns the names of the fields that were not taken yet, in order.
  public List<String> names() {
    return left.keySet().stream().map(String.class::cast).toList();
  }

  public double number(String field) {
    return number(field, take(field));
  }

  /// Takes a number from 0 on.
  public double positive(String field) {
    Object value = take(field);
    double number = number(field, value);
    if (number < 0) {
      throw wrong(field, value, "a number of at least 0");
    }
    return number;
  }

  private double number(String field, Object value) {
    double number =
        value instanceof Digits(String digits) ? Double.parseDouble(digits) : Double.NaN;
    if (Double.isFinite(number)) {
      return number;
    }
    throw wrong(field, value, "a number in the range of a double");
  }

  /// Takes a number, or an infinity as text.
  public double numberOrInfinity(String field) {
    Object value = take(field);
    return value instanceof String text && (text.equals("Infinity") || text.equals("-Infinity"))
        ? Double.parseDouble(text)
        : number(field, value);
  }

  public List<Double> numbers(String field) {
    return list(field).stream().map(value -> number(field, value)).toList();
  }

  public List<String> texts(String field) {
    return list(field).stream().map(value -> as(String.class, field, value, "strings")).toList();
  }

  public List<?> list(String field) {
    return as(List.class, field, take(field), "a list");
  }

  /// Takes an object of strings, in order.
  public Map<String, String> textsByName(String field) {
    Map<String, String> texts = new LinkedHashMap<>();
    Map<?, ?> object = object(field);
    JsonFields each = new JsonFields(subject, field, object);
    for (Object key : object.keySet()) {
      texts.put((String) key, each.text((String) key));
    }
    return texts;
  }

  /// Takes an object; one without fields if it is missing.
  public JsonFields nested(String field) {
    return new JsonFields(subject, field, has(field) ? object(field) : Map.of());
  }

  /// Takes a list of objects, named `each`, that have no other fields than are read.
  public <E> List<E> objects(String field, String each, Function<JsonFields, E> read) {
    List<E> all = new ArrayList<>();
    for (Object value : list(field)) {
      JsonFields object = new JsonFields(subject, each, value);
      all.add(read.apply(object));
      object.requireNoOthers();
    }
    return all;
  }

  public Map<?, ?> object(String field) {
    return as(Map.class, field, take(field), "an object");
  }

  private Object take(String field) {
    Object value = left.remove(field);
    if (value == null) {
      throw new WrongFieldException(
          "Cannot read " + subject + ": " + what + " has no field '" + field + "'.");
    }
    return value;
  }

  public void requireNoOthers() {
    if (!left.isEmpty()) {
      throw new WrongFieldException(
          Sentence.of(
              "Cannot read %s: %s has an unknown field '%s'.",
              subject, what, left.keySet().iterator().next()));
    }
  }

  /// Throws if there are others than those that were taken, and says which of some was meant.
  public void requireNoOthers(Collection<String> known) {
    for (Object field : left.keySet()) {
      throw new WrongFieldException(
          Sentence.of(
              "Cannot read %s: %s has an unknown field '%s'. %s",
              subject, what, field, Choices.listed("Fields", (String) field, known)));
    }
  }

  private WrongFieldException wrong(String field, Object value, String expected) {
    return new WrongFieldException(
        Sentence.of(
            "Cannot read %s: field '%s' of %s is %s but expected %s.",
            subject, field, what, name(value), expected),
        name(value),
        expected);
  }

  private static String name(Object value) {
    return switch (value) {
      case Digits(String text) -> text.length() > 40 ? text.substring(0, 40) + "..." : text;
      case String text -> "'" + (text.length() > 40 ? text.substring(0, 40) + "..." : text) + "'";
      case List<?> _ -> "a list";
      case Map<?, ?> _ -> "an object";
      default -> value.toString();
    };
  }
}
