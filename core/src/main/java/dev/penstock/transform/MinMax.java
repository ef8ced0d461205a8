package dev.penstock.transform;

/// Moves a column into `[0, 1]`, as scikit-learn's `MinMaxScaler`: `(x - min) / (max - min)`.
///
/// Where `min` equals `max`, as in a constant column, it divides by 1. Values beyond either end
/// leave `[0, 1]`; add a [Clip] after it if they must not.
///
/// @param column the column, of numbers or booleans
/// @param min the value that becomes 0, finite
/// @param max the value that becomes 1, finite, at least `min`
public record MinMax(String column, double min, double max) implements ColumnTransform {
  /// Throws [IllegalArgumentException] if a number, or their difference, is not finite, or they are
  /// not in order.
  public MinMax {
    Numbers.requireFinite("The minimum", column, min);
    Numbers.requireFinite("The maximum", column, max);
    Numbers.requireFinite("The range", column, max - min);
    if (min > max) {
      throw new IllegalArgumentException(
          "The minimum of column '" + column + "' must not be above " + max + ", got " + min + ".");
    }
  }

  /// {@return the transform with given numbers}
  ///
  /// @param column the column, of numbers or booleans
  /// @param min the value that becomes 0, finite
  /// @param max the value that becomes 1, finite, at least `min`
  public static MinMax of(String column, double min, double max) {
    return new MinMax(column, min, max);
  }

  @Override
  public ColumnBlock apply(ColumnBlock block, TransformContext context) {
    double range = max == min ? 1 : max - min;
    return Numbers.map(block, column, value -> (value - min) / range);
  }

  @Override
  public String toString() {
    return "min-max " + column + ": min " + min + ", max " + max;
  }
}
