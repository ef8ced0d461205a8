package dev.penstock.options;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.compose.Composition;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/// How rows become batches: how many rows each has, and how many batches an epoch has.
///
/// @param size the rows of a batch, at least 1
/// @param dropLast whether a short last batch is left out
/// @param stepsPerEpoch the number of batches promised for every epoch, at least 1; empty to
///   deliver all rows
/// @param composition what is made of the rows of a window; empty to batch them as they come
public record Batching(
    int size, boolean dropLast, OptionalLong stepsPerEpoch, Optional<Composition> composition) {
  /// Batches of 1024 rows; keeps a short last batch and promises no number of batches.
  static final Batching DEFAULTS =
      new Batching(1024, false, OptionalLong.empty(), Optional.empty());

  /// Throws [IllegalArgumentException] if `size` or the promised number is below 1.
  public Batching {
    if (size < 1) {
      throw Advice.argumentError("%s must be at least 1, got %s.", Remedy.name("batchSize"), size);
    }
    Objects.requireNonNull(stepsPerEpoch, "stepsPerEpoch must not be null.");
    if (stepsPerEpoch.isPresent() && stepsPerEpoch.getAsLong() < 1) {
      throw Advice.argumentError(
          "%s must be at least 1, got %s.",
          Remedy.name("stepsPerEpoch"), stepsPerEpoch.getAsLong());
    }
  }

  Batching withSize(int rows) {
    return new Batching(rows, dropLast, stepsPerEpoch, composition);
  }

  Batching withDropLast(boolean on) {
    return new Batching(size, on, stepsPerEpoch, composition);
  }

  Batching withStepsPerEpoch(long batches) {
    return new Batching(size, dropLast, OptionalLong.of(batches), composition);
  }

  Batching withComposition(Composition choice) {
    Objects.requireNonNull(choice, "compose must not be null.");
    return new Batching(size, dropLast, stepsPerEpoch, Optional.of(choice));
  }
}
