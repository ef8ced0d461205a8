package dev.penstock.sample;

import java.util.PrimitiveIterator;

/// Rows drawn by their weights: rows of greater weight are more likely.
///
/// Draws with replacement by default, and from [Generator#global()] by default.
///
/// **Threads.** One at a time. **Order.** The same as torch's sampler of this name with the same
/// generator, in every epoch, with the exception described at [Generator#multinomial].
public final class WeightedRandomSampler implements Sampler {
  private final double[] weights;
  private final long numSamples;
  private final boolean replacement;
  private final Generator generator;

  /// Makes a sampler that draws with replacement.
  ///
  /// @param weights the weight of each row, 0 or more, of any sum; 1 to 2^24 of them; copied
  /// @param numSamples how many rows an epoch visits, 1 or more
  /// @throws IllegalArgumentException if these weights cannot be drawn from, see
  ///   [Generator#multinomial]
  public WeightedRandomSampler(double[] weights, long numSamples) {
    this(weights.clone(), numSamples, true, Generator.global());
  }

  private WeightedRandomSampler(
      double[] weights, long numSamples, boolean replacement, Generator generator) {
    Multinomial.check(weights, numSamples, replacement);
    this.weights = weights;
    this.numSamples = numSamples;
    this.replacement = replacement;
    this.generator = generator;
  }

  /// {@return a copy that never draws a row twice in an epoch}
  ///
  /// @throws IllegalArgumentException if fewer weights are above 0 than rows are to be drawn
  public WeightedRandomSampler withoutReplacement() {
    return new WeightedRandomSampler(weights, numSamples, false, generator);
  }

  /// {@return a copy that draws all its epochs from a generator}
  ///
  /// @param generator the generator; others may draw from it too
  public WeightedRandomSampler withGenerator(Generator generator) {
    return new WeightedRandomSampler(weights, numSamples, replacement, generator);
  }

  @Override
  public long size() {
    return numSamples;
  }

  @Override
  public PrimitiveIterator.OfLong iterator() {
    return DrawnIndices.once(
        () -> Indices.of(generator.multinomial(weights, numSamples, replacement)));
  }
}
