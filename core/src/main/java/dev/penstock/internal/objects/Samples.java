package dev.penstock.internal.objects;

import dev.penstock.batch.BatchBuilder;
import dev.penstock.batch.Collator;
import java.util.Iterator;
import java.util.OptionalLong;

/// A dataset of Java objects, and which of its rows are batched together.
public sealed interface Samples<T> permits MapSamples, IterableSamples {
  Object dataset();

  /// The dataset for one more worker: this, or a copy. Users' code.
  Object copyForWorker();

  /// The same with the dataset of a worker.
  Samples<T> of(Object own);

  /// Whether only workers know where the rows end.
  boolean endsInWorkers();

  /// The rows of each batch, by number; endless, and without numbers, where only workers know the
  /// end. Tells the sampler the epoch.
  Iterator<long[]> batches(long epoch);

  <B> Fetcher<B> fetcher(Collator<T, B> collator, BatchBuilder.Memory memory);

  /// The number of batches in an epoch; an [IllegalStateException] if it is not known.
  long batchesPerEpoch(int workers);

  /// The rows that the dataset says it has, if an epoch that gave `rows` did not keep to it.
  OptionalLong contradicts(long rows);
}
