package dev.penstock.compose;

import java.util.Objects;
import java.util.OptionalLong;

/// Rows drawn with replacement, each in proportion to its weight, as by torch's
/// `WeightedRandomSampler`.
///
/// Each draw is independent of the others and follows from the seed and the epoch. How many of the
/// draws of an epoch fall into a window is drawn first, then which rows these are. So the rows of a
/// window come together, in random order; [dev.penstock.split.Shuffle#window] makes windows of rows
/// from several places.
///
/// Before the first epoch the weights are read once. Weights that are negative, not finite or null
/// are an error that names the row.
///
/// @param column the weights: numbers, of which only the proportions matter
/// @param numSamples the draws of an epoch, at least 1; empty for as many as there are rows
public record WeightedDraws(String column, OptionalLong numSamples) implements Composition {
  /// Checks the parts.
  ///
  /// @throws IllegalArgumentException if the number is below 1
  public WeightedDraws {
    Objects.requireNonNull(column, "column must not be null.");
    Objects.requireNonNull(numSamples, "numSamples must not be null.");
    if (numSamples.isPresent() && numSamples.getAsLong() < 1) {
      throw new IllegalArgumentException(
          "numSamples must be at least 1, got " + numSamples.getAsLong() + ".");
    }
  }

  /// Sets the draws of an epoch.
  ///
  /// @param draws at least 1
  /// @return the changed draws
  /// @throws IllegalArgumentException if `draws` is below 1
  public WeightedDraws numSamples(long draws) {
    return new WeightedDraws(column, OptionalLong.of(draws));
  }

  /// Shows the weights and the number.
  @Override
  public String toString() {
    return (numSamples.isPresent() ? numSamples.getAsLong() + " draws" : "draws")
        + " weighted by "
        + column;
  }
}
