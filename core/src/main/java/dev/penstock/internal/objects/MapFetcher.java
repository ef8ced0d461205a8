package dev.penstock.internal.objects;

import dev.penstock.batch.BatchBuilder;
import dev.penstock.batch.Collator;
import dev.penstock.data.MapDataset;
import dev.penstock.internal.clock.StageClock;
import dev.penstock.stats.Stage;
import java.util.List;

/// Makes batches of the rows that a sampler names.
///
/// @param memory the memory for tensors
public record MapFetcher<T, B>(
    MapDataset<T> dataset, Collator<T, B> collator, BatchBuilder.Memory memory)
    implements Fetcher<B> {
  @Override
  public Fetched<B> fetch(long[] indices) throws Exception {
    List<T> rows = StageClock.in(Stage.FETCH, () -> dataset.getAll(indices));
    if (rows.size() != indices.length) {
      throw new IllegalStateException(
          "Cannot make a batch: the dataset gave "
              + rows.size()
              + " rows but "
              + indices.length
              + " were asked for. Check its getAll().");
    }
    return collated(rows, collator, memory);
  }

  static <T, B> Fetched<B> collated(
      List<T> rows, Collator<T, B> collator, BatchBuilder.Memory memory) throws Exception {
    try (BatchBuilder builder = new BatchBuilder(memory)) {
      B batch = StageClock.in(Stage.COLLATE, () -> collator.collate(rows, builder));
      if (batch == null) {
        throw new IllegalStateException(
            "Cannot deliver a batch: the collator gave null for " + rows.size() + " rows.");
      }
      return new Fetched<>(batch, rows.size());
    }
  }

  @Override
  public void close() {
    // The user owns the dataset.
  }
}
