package dev.penstock.internal.objects;

import dev.penstock.batch.BatchBuilder;
import dev.penstock.batch.Collator;
import dev.penstock.data.IterableDataset;
import dev.penstock.options.SampleBatching;
import java.util.Iterator;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// Rows one after another, from an iterator of each worker.
public record IterableSamples<T>(IterableDataset<T> dataset, SampleBatching batching)
    implements Samples<T> {
  /// The same rows one by one.
  public IterableSamples<T> single() {
    return new IterableSamples<>(dataset, new SampleBatching(OptionalInt.empty(), true, false));
  }

  @Override
  public boolean endsInWorkers() {
    return true;
  }

  @Override
  public Iterator<long[]> batches(long epoch) {
    return Stream.generate(() -> new long[0]).iterator();
  }

  @Override
  public <B> Fetcher<B> fetcher(Collator<T, B> collator, BatchBuilder.Memory memory) {
    return new IterableFetcher<>(
        dataset.iterator(), batching.rows(), batching.dropLast(), collator, memory);
  }

  @Override
  public long batchesPerEpoch(int workers) {
    OptionalLong size = dataset.size();
    if (size.isEmpty() || (workers > 1 && !batching.unbatched())) {
      throw new IllegalStateException(
          "Cannot tell the number of batches: "
              + (size.isEmpty()
                  ? "the dataset has no size."
                  : "it depends on how the workers share the rows."));
    }
    long full = size.getAsLong() / batching.rows();
    boolean isShort = size.getAsLong() % batching.rows() > 0 && !batching.dropLast();
    return isShort ? full + 1 : full;
  }

  @Override
  public OptionalLong contradicts(long rows) {
    OptionalLong size = dataset.size();
    boolean isOther =
        size.isPresent()
            && (rows > size.getAsLong() || (rows < size.getAsLong() && !batching.dropLast()));
    return isOther ? size : OptionalLong.empty();
  }
}
