package dev.penstock.transform;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The fields of a JSON object, each taken once and checked.
final class JsonFields {
  /// A number as it is written.
  record Digits(String text) {}

  /// What the text is to blame for, in a sentence that needs nothing around it.
  static final class WrongFieldException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    WrongFieldException(String message) {
      super(message);
    }
  }

  private final String what;
  private final Map<Object, Object> left;

  JsonFields(String what, Object value) {
    this.what = what;
    if (!(value instanceof Map<?, ?> object)) {
      throw new WrongFieldException(
          "Cannot read preprocessing: " + what + " is " + name(value) + " but expected an object.");
    }
    this.left = new LinkedHashMap<>(object);
  }

  String what() {
    return what;
  }

  String text(String field) {
    return text(field, take(field), "a string");
  }

  private String text(String field, Object value, String expected) {
    if (value instanceof String text) {
      return text;
    }
    throw wrong(field, value, expected);
  }

  boolean bool(String field) {
    Object value = take(field);
    if (value instanceof Boolean bool) {
      return bool;
    }
    throw wrong(field, value, "true or false");
  }

  int integer(String field) {
    Object value = take(field);
    if (value instanceof Digits(String digits)) {
      try {
        return Integer.parseInt(digits);
      } catch (NumberFormatException _) {
        // The value is shown below.
      }
    }
    throw wrong(field, value, "a whole number of 32 bits");
  }

  double number(String field) {
    return number(field, take(field));
  }

  private double number(String field, Object value) {
    double number =
        value instanceof Digits(String digits) ? Double.parseDouble(digits) : Double.NaN;
    if (Double.isFinite(number)) {
      return number;
    }
    throw wrong(field, value, "a number in the range of a double");
  }

  double numberOrInfinity(String field) {
    Object value = take(field);
    return value instanceof String text && (text.equals("Infinity") || text.equals("-Infinity"))
        ? Double.parseDouble(text)
        : number(field, value);
  }

  List<Double> numbers(String field) {
    return list(field).stream().map(value -> number(field, value)).toList();
  }

  List<String> texts(String field) {
    return list(field).stream().map(value -> text(field, value, "strings")).toList();
  }

  List<?> list(String field) {
    Object value = take(field);
    if (value instanceof List<?> list) {
      return list;
    }
    throw wrong(field, value, "a list");
  }

  private Object take(String field) {
    Object value = left.remove(field);
    if (value == null) {
      throw new WrongFieldException(
          "Cannot read preprocessing: " + what + " has no field '" + field + "'.");
    }
    return value;
  }

  void requireNoOthers() {
    if (!left.isEmpty()) {
      throw new WrongFieldException(
          "Cannot read preprocessing: "
              + what
              + " has an unknown field '"
              + left.keySet().iterator().next()
              + "'.");
    }
  }

  private WrongFieldException wrong(String field, Object value, String expected) {
    return new WrongFieldException(
        "Cannot read preprocessing: field '"
            + field
            + "' of "
            + what
            + " is "
            + name(value)
            + " but expected "
            + expected
            + ".");
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
