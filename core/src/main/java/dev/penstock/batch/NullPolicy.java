package dev.penstock.batch;

/// How to handle a null in a column that is delivered as a tensor or as a primitive array.
///
/// Columns delivered as lists or object arrays keep their nulls under every policy but [Reject],
/// which refuses rows that are null, and [FillText], which fills those of strings; nulls inside of
/// nested values stay even then. Under [OutputFormat#MAP] all but [Reject] keep them, and under
/// [OutputFormat#ARROW] too, which marks them in the vectors' validity.
///
/// In a column of lists of numbers the elements are treated as the values of a flat column are. A
/// list that is null has a place under [Mask] only, where it has length 0, and under
/// [OutputFormat#ARRAY], where it is null.
public sealed interface NullPolicy {
  /// NaN in floating-point columns, an error in all others. The default.
  record NaN() implements NullPolicy {
    @Override
    public String toString() {
      return "nan";
    }
  }

  /// A value in the place of every null; one that does not fit a column's type is refused.
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

  /// A text in the place of every null of a string column, in whatever form that is delivered:
  /// encoded, it is the code or bucket of the text. Refused for columns that become other tensors.
  ///
  /// @param value the text, which may be empty
  record FillText(String value) implements NullPolicy {
    @Override
    public String toString() {
      return "fill:'" + value + "'";
    }
  }

  /// Zero in the place of every null, and beside every nullable column `name` a tensor `name.mask`
  /// of shape `[rows]` and type `BOOL`: 1 = present, 0 = null. In a feature matrix nulls are NaN.
  ///
  /// Beside lists of numbers whose elements may be null there is `name.element.mask`, with a `BOOL`
  /// for each element and in the same form: ragged, and a block where all lists have one length.
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

  /// Returns [NaN].
  ///
  /// @return the policy
  static NullPolicy nan() {
    return new NaN();
  }

  /// Returns [Fill].
  ///
  /// @param value the value to put in the place of every null
  /// @return the policy
  static NullPolicy fill(Number value) {
    return new Fill(value);
  }

  /// Returns [FillText].
  ///
  /// @param text the text to put in the place of every null
  /// @return the policy
  static NullPolicy fill(String text) {
    return new FillText(text);
  }

  /// Returns [Mask].
  ///
  /// @return the policy
  static NullPolicy mask() {
    return new Mask();
  }

  /// Returns [Reject].
  ///
  /// @return the policy
  static NullPolicy error() {
    return new Reject();
  }
}
