package dev.penstock.internal.objects;

import dev.penstock.batch.BatchBuilder;
import dev.penstock.batch.Collator;
import dev.penstock.internal.clock.StageClock;
import dev.penstock.stats.Stage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes batches of rows that are Java objects, on one worker's thread or on the consumer's.
///
/// **Threads.** One at a time.
public interface Fetcher<B> {
  /// A batch and how many rows it has.
  record Fetched<B>(B batch, int rows) {
    static <T, B> Fetched<B> of(List<T> rows, Collator<T, B> collator, BatchBuilder.Memory memory)
        throws Exception {
      try (BatchBuilder builder = new BatchBuilder(memory)) {
        B batch = StageClock.in(Stage.COLLATE, () -> collator.collate(rows, builder));
        if (batch == null) {
          throw new IllegalStateException(
              "Cannot deliver a batch: the collator gave null for " + rows.size() + " rows.");
        }
        return new Fetched<>(batch, rows.size());
      }
    }
  }

  /// Makes a batch of some rows; of the next ones, if rows come from an iterator. Returns null when
  /// no rows are left. Throws what the user's code does.
  @Nullable Fetched<B> fetch(long[] indices) throws Exception;

  void close() throws Exception;
}
