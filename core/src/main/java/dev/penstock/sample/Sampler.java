package dev.penstock.sample;

import java.util.PrimitiveIterator;

/// The order in which the rows of a dataset are visited in an epoch.
///
/// Torch's samplers are here under their names: [SequentialSampler], [RandomSampler],
/// [SubsetRandomSampler], [WeightedRandomSampler], [DistributedSampler]. Your own sampler may
/// return any row numbers in any order.
///
/// **Threads.** One at a time: the consumer's.
public interface Sampler {
  /// {@return how many rows an epoch visits, 0 or more}
  long size();

  /// {@return the numbers of the rows of an epoch, in order} Random numbers are drawn when the
  /// first index is requested, as in torch.
  ///
  /// Some are also drawn after the last index, so iterate until `hasNext()` returns false:
  /// otherwise later draws from the generator differ from torch's.
  PrimitiveIterator.OfLong iterator();

  /// Sets which epoch comes next. Loaders call it before each epoch; a sampler whose order does not
  /// depend on the epoch ignores it.
  ///
  /// @param epoch the epoch, counted from 0
  default void setEpoch(long epoch) {}
}
