package dev.penstock.sample;

import java.util.PrimitiveIterator;

/// Chosen rows, in an order drawn for each epoch.
///
/// Without a generator it draws from [Generator#global()].
///
/// **Threads.** One at a time. **Order.** The same as torch's sampler of this name with the same
/// generator, in every epoch.
public final class SubsetRandomSampler implements Sampler {
  private final long[] indices;
  private final Generator generator;

  /// Makes an order of some rows.
  ///
  /// @param indices the numbers of the rows, copied; duplicates come twice
  public SubsetRandomSampler(long... indices) {
    this(indices.clone(), Generator.global());
  }

  private SubsetRandomSampler(long[] indices, Generator generator) {
    this.indices = indices;
    this.generator = generator;
  }

  /// {@return a copy that draws all its epochs from a generator}
  ///
  /// @param generator the generator; others may draw from it too
  public SubsetRandomSampler withGenerator(Generator generator) {
    return new SubsetRandomSampler(indices, generator);
  }

  @Override
  public long size() {
    return indices.length;
  }

  @Override
  public PrimitiveIterator.OfLong iterator() {
    return DrawnIndices.once(() -> {
      int[] order = generator.permutation(indices.length);
      return Indices.of(order.length, place -> indices[order[(int) place]]);
    });
  }
}
