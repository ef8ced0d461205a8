package dev.penstock.sample;

import java.util.PrimitiveIterator;

/// All rows, from the first to the last.
///
/// **Threads.** Any: it has no state.
public final class SequentialSampler implements Sampler {
  private final long size;

  /// Makes the order.
  ///
  /// @param size how many rows there are, 0 or more
  public SequentialSampler(long size) {
    if (size < 0) {
      throw new IllegalArgumentException(
          "Cannot visit rows in order: their number is " + size + " but must be 0 or more.");
    }
    this.size = size;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public PrimitiveIterator.OfLong iterator() {
    return Indices.of(size, place -> place);
  }
}
