package dev.penstock.sample;

import java.util.PrimitiveIterator;

/// The order in which the rows of a dataset are visited in an epoch.
///
/// Those of torch are here under its names: [SequentialSampler], [RandomSampler],
/// [SubsetRandomSampler], [WeightedRandomSampler], [DistributedSampler]. A program's own gives any
/// row numbers in any order.
///
/// **Threads.** One at a time: the consumer's.
public interface Sampler {
  /// Returns how many rows an epoch visits.
  ///
  /// @return 0 or more
  long size();

  /// Starts an epoch. Random numbers are drawn when the first index is asked for, as torch does.
  ///
  /// Some are drawn behind the last index too, so ask until `hasNext()` says no: else a generator
  /// that is drawn from again is not where torch's would be.
  ///
  /// @return the numbers of the rows, in order
  PrimitiveIterator.OfLong iterator();

  /// Says which epoch comes next. A loader says it before each epoch; a sampler whose order does
  /// not depend on it does nothing.
  ///
  /// @param epoch the epoch, counted from 0
  default void setEpoch(long epoch) {}
}
