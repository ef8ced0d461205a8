package dev.penstock.batch;

/// What becomes of a null in a column that is delivered as a tensor or as a primitive array.
///
/// Columns delivered as lists or object arrays keep their nulls under every policy but [Reject].
public sealed interface NullPolicy {
  /// NaN in floating-point columns, an error in all others. The default.
  record NaN() implements NullPolicy {
    @Override
    public String toString() {
      return "nan";
    }
  }

  /// A value in the place of every null; it must fit the column's type exactly.
  ///
  /// @param value the value; for boolean columns 0 is false and 1 is true
  record Fill(Number value) implements NullPolicy {
    @Override
    public String toString() {
      return "fill:" + value;
    }
  }

  /// Zero in the place of every null, and beside every nullable column `name` a tensor `name.mask`
  /// of shape `[rows]` and type `BOOL`: 1 = present, 0 = null. In a feature matrix nulls are NaN.
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
