package dev.penstock.batch;

/// The form of decimal columns in a [Batch].
public enum DecimalForm {
  /// A list of [java.math.BigDecimal], exact. The default.
  OBJECT,
  /// A `FLOAT64` tensor of the nearest numbers.
  FLOAT64,
  /// An `INT64` tensor: the value times `10^scale`, `scale` being the column's. Exact. A value that
  /// does not fit is an error; with a precision of up to 18 every value fits.
  UNSCALED
}
