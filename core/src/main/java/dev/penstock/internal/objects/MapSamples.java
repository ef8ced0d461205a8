package dev.penstock.internal.objects;

import dev.penstock.batch.BatchBuilder;
import dev.penstock.batch.Collator;
import dev.penstock.data.MapDataset;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.clock.StageClock;
import dev.penstock.options.SampleBatching;
import dev.penstock.options.Sampling;
import dev.penstock.sample.BatchSampler;
import dev.penstock.sample.RandomSampler;
import dev.penstock.sample.Sampler;
import dev.penstock.sample.SequentialSampler;
import dev.penstock.stats.Stage;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.PrimitiveIterator;

/// Rows by number, in the order of a sampler.
public record MapSamples<T>(MapDataset<T> dataset, Iterable<long[]> sampler, boolean unbatched)
    implements Samples<T> {
  public static <T> MapSamples<T> of(
      MapDataset<T> dataset, SampleBatching batching, Sampling sampling) {
    Iterable<long[]> batches =
        sampling
            .batchSampler()
            .orElseGet(() ->
                new BatchSampler(
                    sampling.sampler().orElseGet(() -> order(dataset, sampling)),
                    batching.rows(),
                    batching.dropLast()));
    return new MapSamples<>(dataset, batches, batching.unbatched());
  }

  /// The order of the rows; their number is read when an epoch begins.
  private static Sampler order(MapDataset<?> rows, Sampling sampling) {
    order(rows.size(), sampling); // fails early if there are too few to shuffle
    return new Sampler() {
      @Override
      public long size() {
        return rows.size();
      }

      @Override
      public PrimitiveIterator.OfLong iterator() {
        return order(rows.size(), sampling).iterator();
      }
    };
  }

  private static Sampler order(long size, Sampling sampling) {
    if (!sampling.shuffle()) {
      return new SequentialSampler(size);
    }
    RandomSampler random = new RandomSampler(size);
    return sampling.generator().map(random::withGenerator).orElse(random);
  }

  @Override
  public Object copyForWorker() {
    return dataset;
  }

  @Override
  public Samples<T> of(Object own) {
    return this;
  }

  @Override
  public boolean endsInWorkers() {
    return false;
  }

  @Override
  public Iterator<long[]> batches(long epoch) {
    if (sampler instanceof BatchSampler rows) {
      rows.setEpoch(epoch);
    }
    return sampler.iterator();
  }

  @Override
  public <B> Fetcher<B> fetcher(Collator<T, B> collator, BatchBuilder.Memory memory) {
    return new MapFetcher<>(dataset, collator, memory, unbatched);
  }

  @Override
  public long batchesPerEpoch(int workers) {
    return switch (sampler) {
      case BatchSampler rows -> rows.size();
      case Collection<?> all -> all.size();
      default ->
          throw new IllegalStateException(
              "Cannot tell the number of batches: the batch sampler has no size.");
    };
  }

  @Override
  public OptionalLong contradicts(long rows) {
    return OptionalLong.empty();
  }

  /// The numbers of the rows in place of the rows.
  public Samples<Long> numbers() {
    return new MapSamples<>(new Numbers(dataset.size()), sampler, unbatched);
  }

  private record Numbers(long size) implements MapDataset<Long> {
    @Override
    public Long get(long index) {
      return index;
    }
  }

  private record MapFetcher<T, B>(
      MapDataset<T> dataset, Collator<T, B> collator, BatchBuilder.Memory memory, boolean unbatched)
      implements Fetcher<B> {
    @Override
    public Fetched<B> fetch(long[] indices) throws Exception {
      List<T> rows = StageClock.in(Stage.FETCH, () -> dataset.getAll(indices));
      if (rows.size() != indices.length) {
        throw new IllegalStateException(
            Sentence.of(
                "Cannot make a batch: the dataset gave %s rows but %s were asked for."
                    + " Check its getAll().",
                rows.size(), indices.length));
      }
      return Fetched.of(rows, collator, memory, unbatched, indices);
    }

    @Override
    public void close() {
      // The user owns the dataset.
    }
  }
}
