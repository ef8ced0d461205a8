package dev.penstock.transform;

import dev.penstock.internal.choice.Sentence;
import java.util.Objects;

/// Moves values beyond either end to that end, as numpy's `clip` and torch's `clamp`.
///
/// @param column the column, of numbers or booleans
/// @param min the least value; minus infinity for none
/// @param max the greatest value, at least `min`; infinity for none
public record Clip(String column, double min, double max) implements ColumnTransform {
  /// Throws [IllegalArgumentException] if an end is NaN, or they are not in order.
  public Clip {
    Objects.requireNonNull(column);
    if (!(min <= max)) {
      throw new IllegalArgumentException(
          Sentence.of(
              "The ends of column '%s' must be numbers in order, got %s and %s.",
              column, min, max));
    }
  }

  /// {@return the transform}
  ///
  /// @param column the column, of numbers or booleans
  /// @param min the least value; minus infinity for none
  /// @param max the greatest value, at least `min`; infinity for none
  /// @throws IllegalArgumentException if an end is NaN, or they are not in order
  public static Clip of(String column, double min, double max) {
    return new Clip(column, min, max);
  }

  @Override
  public ColumnBlock apply(ColumnBlock block, TransformContext context) {
    // Comparisons, not Math.min: NaN is neither below nor above, and stays.
    return Numbers.map(block, column, value -> value < min ? min : value > max ? max : value);
  }

  @Override
  public String toString() {
    return "clip " + column + ": min " + min + ", max " + max;
  }
}
