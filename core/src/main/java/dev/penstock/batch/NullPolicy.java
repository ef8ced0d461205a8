package dev.penstock.batch;

import java.math.BigInteger;

/// How to handle a null in a column that is delivered as a tensor or as a primitive array.
///
/// Columns delivered as lists or object arrays keep their nulls, except that [Reject] refuses null
/// rows and [FillText] fills null strings; nulls inside nested values stay even then. Under
/// [OutputFormat#MAP] and [OutputFormat#ARROW], which marks nulls in the vectors' validity, every
/// policy but [Reject] keeps them.
///
/// In a column of lists of numbers, null elements are treated like null values of a flat column. A
/// null list is possible only under [Mask], where it has length 0, and under [OutputFormat#ARRAY],
/// where it is null.
public sealed interface NullPolicy {
  /// NaN in floating-point columns, an error in all others. The default.
  record NaN() implements NullPolicy {
    @Override
    public String toString() {
      return "nan";
    }
  }

  /// A value that replaces every null; it must fit the column's type.
  ///
  /// @param value the value: a whole number in range for integer columns, 0 (false) or 1 (true) for
  ///   boolean ones, any INT32 for codes of strings; floating-point columns take the nearest number
  ///   and must not overflow
  record Fill(Number value) implements NullPolicy {
    @Override
    public String toString() {
      return "fill:" + value;
    }
  }

  /// A text that replaces every null of a string column, whatever the column's form: an encoded
  /// column gets the code or bucket of the text. Refused for columns that become other tensors.
  ///
  /// @param value the text, which may be empty
  record FillText(String value) implements NullPolicy {
    @Override
    public String toString() {
      return "fill:'" + value + "'";
    }
  }

  /// Zero replaces every null, and every nullable column `name` gets a tensor `name.mask` of shape
  /// `[rows]` and type `BOOL`: 1 = present, 0 = null. In a feature matrix nulls are NaN.
  ///
  /// Lists of numbers whose elements may be null get `name.element.mask`, with a `BOOL` for each
  /// element and in the same form: ragged, and also a block if all lists have one length.
  record Mask() implements NullPolicy {
    @Override
    public String toString() {
      return "mask";
    }
  }

  /// An error that names file, column and row.
  record Reject() implements NullPolicy {
    @Override
    public String toString() {
      return "error";
    }
  }

  /// {@return [NaN]}
  static NullPolicy nan() {
    return new NaN();
  }

  /// {@return [Fill]}
  ///
  /// @param value the value that replaces every null
  static NullPolicy fill(Number value) {
    return new Fill(value);
  }

  /// {@return [FillText]}
  ///
  /// @param text the text that replaces every null
  static NullPolicy fill(String text) {
    return new FillText(text);
  }

  /// {@return [Mask]}
  static NullPolicy mask() {
    return new Mask();
  }

  /// {@return [Reject]}
  static NullPolicy error() {
    return new Reject();
  }

  /// {@return the policy of a text form}
  ///
  /// @param text `nan`, `mask`, `error` or `fill:NUMBER`
  /// @throws IllegalArgumentException for any other text
  static NullPolicy parse(String text) {
    return switch (text) {
      case "nan" -> nan();
      case "mask" -> mask();
      case "error" -> error();
      default -> {
        if (!text.startsWith("fill:")) {
          throw new IllegalArgumentException(
              "Cannot treat nulls as '" + text + "': expected nan, fill:VALUE, mask or error.");
        }
        yield fill(number(text.substring("fill:".length())));
      }
    };
  }

  private static Number number(String text) {
    if (text.matches("[+-]?[0-9]+")) {
      BigInteger integer = new BigInteger(text);
      return integer.bitLength() < Long.SIZE ? (Number) integer.longValue() : integer;
    }
    if (text.matches("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?|NaN|[+-]?Infinity")) {
      return Double.valueOf(text);
    }
    throw new IllegalArgumentException(
        "Cannot fill nulls with '" + text + "': expected a number, such as fill:0 or fill:-1.5.");
  }
}
