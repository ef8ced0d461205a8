package dev.penstock.sample;

import java.util.ArrayList;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.stream.LongStream;

/// What samplers give.
final class Orders {
  private Orders() {}

  /// Returns the rows of an epoch.
  static long[] epoch(Sampler sampler) {
    LongStream.Builder order = LongStream.builder();
    PrimitiveIterator.OfLong indices = sampler.iterator();
    while (indices.hasNext()) {
      order.add(indices.nextLong());
    }
    return order.build().toArray();
  }

  /// Returns the rows of some epochs.
  static long[][] epochs(Sampler sampler, int count) {
    long[][] orders = new long[count][];
    for (int i = 0; i < count; i++) {
      orders[i] = epoch(sampler);
    }
    return orders;
  }

  /// Returns the batches of an epoch.
  static long[][] batches(BatchSampler sampler) {
    List<long[]> batches = new ArrayList<>();
    sampler.forEach(batches::add);
    return batches.toArray(long[][]::new);
  }
}
