package dev.penstock.internal.objects;

import dev.penstock.batch.BatchBuilder;
import dev.penstock.batch.Collator;
import dev.penstock.internal.clock.StageClock;
import dev.penstock.stats.Stage;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes batches of the rows of one iterator, one after another.
///
/// An iterator that failed counts as ended.
public final class IterableFetcher<T, B> implements Fetcher<B> {
  private final Iterator<T> rows;
  private final int batchSize;
  private final boolean dropLast;
  private final Collator<T, B> collator;
  private final BatchBuilder.Memory memory;
  private boolean ended;

  /// Makes the fetcher of one worker.
  ///
  /// @param rows the worker's rows; closed with this if it is `AutoCloseable`
  /// @param dropLast whether a short last batch is left out
  /// @param collator makes the batches
  /// @param memory the memory for tensors
  public IterableFetcher(
      Iterator<T> rows,
      int batchSize,
      boolean dropLast,
      Collator<T, B> collator,
      BatchBuilder.Memory memory) {
    this.rows = rows;
    this.batchSize = batchSize;
    this.dropLast = dropLast;
    this.collator = collator;
    this.memory = memory;
  }

  @Override
  public @Nullable Fetched<B> fetch(long[] indices) throws Exception {
    if (ended) {
      return null;
    }
    ended = true; // unless all goes well below
    List<T> batch = new ArrayList<>();
    StageClock.in(
        Stage.FETCH,
        () -> {
          while (batch.size() < batchSize && rows.hasNext()) {
            batch.add(rows.next());
          }
          return batch;
        });
    boolean isFull = batch.size() == batchSize;
    if (batch.isEmpty() || (dropLast && !isFull)) {
      return null;
    }
    Fetched<B> fetched = MapFetcher.collated(batch, collator, memory);
    ended = !isFull;
    return fetched;
  }

  @Override
  public void close() throws Exception {
    if (rows instanceof AutoCloseable closeable) {
      closeable.close();
    }
  }
}
