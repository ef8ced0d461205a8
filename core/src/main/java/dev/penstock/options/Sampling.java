package dev.penstock.options;

import dev.penstock.sample.Generator;
import dev.penstock.sample.Sampler;
import java.util.Objects;
import java.util.Optional;

/// The order of rows that are Java objects, and of their batches.
///
/// @param shuffle whether rows come in a new random order each epoch
/// @param sampler the order of the rows; empty for that of [#shuffle()]
/// @param batchSampler the rows of each batch; empty to batch them in their order
/// @param generator the random numbers of [#shuffle()] and of the workers' seeds; empty for
///   [Generator#global()]
/// @param inOrder whether batches come in the order of their rows; false to deliver each as soon as
///   it is made
public record Sampling(
    boolean shuffle,
    Optional<Sampler> sampler,
    Optional<Iterable<long[]>> batchSampler,
    Optional<Generator> generator,
    boolean inOrder) {
  /// Rows and batches in the order of the dataset, as in torch.
  static final Sampling DEFAULTS =
      new Sampling(false, Optional.empty(), Optional.empty(), Optional.empty(), true);

  Sampling withShuffle(boolean on) {
    return new Sampling(on, sampler, batchSampler, generator, inOrder);
  }

  Sampling withSampler(Sampler order) {
    Objects.requireNonNull(order, "sampler must not be null.");
    return new Sampling(shuffle, Optional.of(order), batchSampler, generator, inOrder);
  }

  Sampling withBatchSampler(Iterable<long[]> batches) {
    Objects.requireNonNull(batches, "batchSampler must not be null.");
    return new Sampling(shuffle, sampler, Optional.of(batches), generator, inOrder);
  }

  Sampling withGenerator(Generator numbers) {
    Objects.requireNonNull(numbers, "generator must not be null.");
    return new Sampling(shuffle, sampler, batchSampler, Optional.of(numbers), inOrder);
  }

  Sampling withInOrder(boolean on) {
    return new Sampling(shuffle, sampler, batchSampler, generator, on);
  }
}
