package dev.penstock.transform;

import java.util.Objects;

/// Takes the natural logarithm of 1 + x, as numpy's and torch's `log1p`: exact also near 0.
///
/// -1 becomes minus infinity; values below -1 become NaN.
///
/// @param column the column, of numbers or booleans
public record Log1p(String column) implements ColumnTransform {
  /// Checks the name.
  public Log1p {
    Objects.requireNonNull(column);
  }

  /// {@return the transform}
  ///
  /// @param column the column, of numbers or booleans
  public static Log1p of(String column) {
    return new Log1p(column);
  }

  @Override
  public ColumnBlock apply(ColumnBlock block, TransformContext context) {
    return Numbers.map(block, column, Math::log1p);
  }

  @Override
  public String toString() {
    return "log1p " + column;
  }
}
