package dev.penstock.internal.objects;

import org.jspecify.annotations.Nullable;

/// Makes batches of rows that are Java objects, on one worker's thread or on the consumer's.
///
/// **Threads.** One at a time.
public interface Fetcher<B> {
  /// A batch and how many rows it has.
  record Fetched<B>(B batch, int rows) {}

  /// Makes a batch.
  ///
  /// @param indices the rows of a batch; empty if rows come from an iterator
  /// @return the batch; null when no rows are left
  /// @throws Exception if the user's code throws it
  @Nullable Fetched<B> fetch(long[] indices) throws Exception;

  /// Frees what it holds.
  ///
  /// @throws Exception if the user's code throws it
  void close() throws Exception;
}
