package dev.penstock.internal.document;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The fields of a JSON object, each read once and checked.
public final class JsonFields {
  /// A number as it is written.
  ///
  /// @param text its digits
  public record Digits(String text) {}

  /// The error for a fault of the text, as a complete sentence.
  public static final class WrongFieldException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /// Makes the exception.
    ///
    /// @param message the sentence
    public WrongFieldException(String message) {
      super(message);
    }
  }

  private final String subject;
  private final String what;
  private final Map<Object, Object> left;

  /// Starts to read an object.
  ///
  /// @param subject what is read, for errors: "Cannot read ...: "
  /// @param what the name of the object in it
  /// @param value the object
  /// @throws IllegalArgumentException if the value is not an object
  public JsonFields(String subject, String what, Object value) {
    this.subject = subject;
    this.what = what;
    if (!(value instanceof Map<?, ?> object)) {
      throw new WrongFieldException(
          "Cannot read "
              + subject
              + ": "
              + what
              + " is "
              + name(value)
              + " but expected an object.");
    }
    this.left = new LinkedHashMap<>(object);
  }

  /// Returns the name of the object.
  ///
  /// @return the name, for errors
  public String what() {
    return what;
  }

  /// Takes a string.
  ///
  /// @param field the name
  /// @return the value
  /// @throws IllegalArgumentException if it is missing or of another kind
  public String text(String field) {
    return text(field, take(field), "a string");
  }

  private String text(String field, Object value, String expected) {
    if (value instanceof String text) {
      return text;
    }
    throw wrong(field, value, expected);
  }

  /// Takes true or false.
  ///
  /// @param field the name
  /// @return the value
  /// @throws IllegalArgumentException if it is missing or of another kind
  public boolean bool(String field) {
    Object value = take(field);
    if (value instanceof Boolean bool) {
      return bool;
    }
    throw wrong(field, value, "true or false");
  }

  /// Takes a whole number of 32 bits.
  ///
  /// @param field the name
  /// @return the value
  /// @throws IllegalArgumentException if it is missing or of another kind
  public int integer(String field) {
    String expected = "a whole number of 32 bits";
    return (int) whole(field, take(field), Integer.MIN_VALUE, Integer.MAX_VALUE, expected);
  }

  /// Returns whether a field was not read yet.
  ///
  /// @param field the name
  /// @return whether it can be read
  public boolean has(String field) {
    return left.containsKey(field);
  }

  /// Takes a whole number.
  ///
  /// @param field the name
  /// @param least the least it may be
  /// @param most the most it may be
  /// @return the value
  /// @throws IllegalArgumentException if it is missing or of another kind
  public long whole(String field, long least, long most) {
    return whole(field, take(field), least, most);
  }

  /// Checks a whole number in a list.
  ///
  /// @param field the name of the list
  /// @param value the value
  /// @param least the least it may be
  /// @param most the most it may be
  /// @return the value
  /// @throws IllegalArgumentException if it is not such a number
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

  /// Takes a finite number.
  ///
  /// @param field the name
  /// @return the value
  /// @throws IllegalArgumentException if it is missing or of another kind
  public double number(String field) {
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

  /// Takes a number, or an infinity as text.
  ///
  /// @param field the name
  /// @return the value
  /// @throws IllegalArgumentException if it is missing or of another kind
  public double numberOrInfinity(String field) {
    Object value = take(field);
    return value instanceof String text && (text.equals("Infinity") || text.equals("-Infinity"))
        ? Double.parseDouble(text)
        : number(field, value);
  }

  /// Takes a list of finite numbers.
  ///
  /// @param field the name
  /// @return the value
  /// @throws IllegalArgumentException if it is missing or of another kind
  public List<Double> numbers(String field) {
    return list(field).stream().map(value -> number(field, value)).toList();
  }

  /// Takes a list of strings.
  ///
  /// @param field the name
  /// @return the value
  /// @throws IllegalArgumentException if it is missing or of another kind
  public List<String> texts(String field) {
    return list(field).stream().map(value -> text(field, value, "strings")).toList();
  }

  /// Takes a list of values.
  ///
  /// @param field the name
  /// @return the value
  /// @throws IllegalArgumentException if it is missing or of another kind
  public List<?> list(String field) {
    Object value = take(field);
    if (value instanceof List<?> list) {
      return list;
    }
    throw wrong(field, value, "a list");
  }

  /// Takes an object.
  ///
  /// @param field the name
  /// @return the value, names to values
  /// @throws IllegalArgumentException if it is missing or of another kind
  public Map<?, ?> object(String field) {
    Object value = take(field);
    if (value instanceof Map<?, ?> object) {
      return object;
    }
    throw wrong(field, value, "an object");
  }

  private Object take(String field) {
    Object value = left.remove(field);
    if (value == null) {
      throw new WrongFieldException(
          "Cannot read " + subject + ": " + what + " has no field '" + field + "'.");
    }
    return value;
  }

  /// Checks that every field was read.
  ///
  /// @throws IllegalArgumentException if one was not
  public void requireNoOthers() {
    if (!left.isEmpty()) {
      throw new WrongFieldException(
          "Cannot read "
              + subject
              + ": "
              + what
              + " has an unknown field '"
              + left.keySet().iterator().next()
              + "'.");
    }
  }

  private WrongFieldException wrong(String field, Object value, String expected) {
    return new WrongFieldException(
        "Cannot read "
            + subject
            + ": field '"
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
