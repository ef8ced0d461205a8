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
    static <T, B> Fetched<B> of(
        List<T> rows,
        Collator<T, B> collator,
        BatchBuilder.Memory memory,
        boolean unbatched,
        long... indices)
        throws Exception {
      try (BatchBuilder builder = new BatchBuilder(memory)) {
        B batch = StageClock.in(Stage.COLLATE, () -> collator.collate(rows, builder));
        if (batch == null) {
          throw new IllegalStateException(
              unbatched
                  ? "Cannot deliver " + nothing(rows.getFirst() == null, indices)
                  : "Cannot deliver a batch: the collator gave null for " + rows.size() + " rows.");
        }
        return new Fetched<>(batch, rows.size());
      }
    }

    private static String nothing(boolean isRowNull, long... indices) {
      return (indices.length == 0 ? "a row" : "row " + indices[0])
          + (isRowNull
              ? ": the dataset gave null. Leave the row out there, or put something in its place:"
                  + " unbatched(row -> ...) is given null."
              : ": the function given to unbatched made null of it. Let it make something else,"
                  + " such as Optional.empty().");
    }
  }

  /// Makes a batch of some rows; of the next ones, if rows come from an iterator. Returns null when
  /// no rows are left. Throws what the user's code does.
  @Nullable Fetched<B> fetch(long[] indices) throws Exception;

  void close() throws Exception;
}
