package dev.penstock.compose;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import java.util.Objects;
import java.util.OptionalLong;

/// Rows drawn with replacement, each in proportion to its weight, as by torch's
/// `WeightedRandomSampler`.
///
/// Each draw is independent of the others and follows from the seed and the epoch. How many of the
/// draws of an epoch fall into a window is drawn first, then which rows these are. So the rows of a
/// window come together, in random order; [dev.penstock.split.Shuffle#window] makes windows of row
/// groups from several places.
///
/// Before the first epoch the weights are read once. Weights that are negative, not finite or null
/// are an error that names the row. So is a dataset without a row whose weight is above 0.
///
/// @param column the weights: numbers, of which only the proportions matter
/// @param numSamples the draws of an epoch, in `[1, 2^31)`; empty for as many as there are rows
public record WeightedDraws(String column, OptionalLong numSamples) implements Composition {
  /// Throws [IllegalArgumentException] if the number is not in its range.
  public WeightedDraws {
    Objects.requireNonNull(column, "column must not be null.");
    Objects.requireNonNull(numSamples, "numSamples must not be null.");
    long number = numSamples.orElse(1);
    if (number < 1 || number > Integer.MAX_VALUE) {
      throw Advice.argumentError(
          "%s must be in [1, 2^31), got %s.", Remedy.name("numSamples"), number);
    }
  }

  /// {@return a copy with a number of draws in an epoch}
  ///
  /// @param draws how many, in `[1, 2^31)`
  public WeightedDraws numSamples(long draws) {
    return new WeightedDraws(column, OptionalLong.of(draws));
  }

  @Override
  public String toString() {
    return (numSamples.isPresent() ? numSamples.getAsLong() + " draws" : "draws")
        + " weighted by "
        + column;
  }
}
