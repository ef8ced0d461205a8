package dev.penstock.transform;

/// Subtracts the mean of a column and divides by its standard deviation, as scikit-learn's
/// `StandardScaler`: `(x - mean) / deviation`.
///
/// A deviation of 0, as of a constant column, divides by 1. Infinities stay infinite.
///
/// @param column the column, of numbers or booleans
/// @param mean a finite number
/// @param deviation the population's standard deviation (`ddof=0`), finite, 0 or more
public record Standardize(String column, double mean, double deviation) implements ColumnTransform {
  /// Throws [IllegalArgumentException] if a number is not finite, or the deviation is negative.
  public Standardize {
    Numbers.requireFinite("The mean", column, mean);
    Numbers.requireFinite("The deviation", column, deviation);
    if (deviation < 0) {
      throw new IllegalArgumentException(
          "The deviation of column '" + column + "' must be 0 or more, got " + deviation + ".");
    }
  }

  /// {@return the transform with given numbers}
  ///
  /// @param column the column, of numbers or booleans
  /// @param mean a finite number
  /// @param deviation finite, 0 or more
  public static Standardize of(String column, double mean, double deviation) {
    return new Standardize(column, mean, deviation);
  }

  @Override
  public ColumnBlock apply(ColumnBlock block, TransformContext context) {
    double divisor = deviation == 0 ? 1 : deviation;
    return Numbers.map(block, column, value -> (value - mean) / divisor);
  }

  @Override
  public String toString() {
    return "standardize " + column + ": mean " + mean + ", deviation " + deviation;
  }
}
