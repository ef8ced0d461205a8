package dev.penstock.internal.objects;

import org.jspecify.annotations.Nullable;

/// Makes batches of rows that are Java objects, on one worker's thread or on the consumer's.
///
/// **Threads.** One at a time.
///
/// @param <B> what a batch is
public interface Fetcher<B> {
  /// A batch and how many rows it has.
  ///
  /// @param <B> what a batch is
  /// @param batch the batch
  /// @param rows its rows
  record Fetched<B>(B batch, int rows) {}

  /// Makes a batch.
  ///
  /// @param indices the rows of a batch; none where rows come one after another
  /// @return the batch; null when no rows are left
  /// @throws Exception what the user's code throws
  @Nullable Fetched<B> fetch(long[] indices) throws Exception;

  /// Frees what it holds.
  ///
  /// @throws Exception what the user's code throws
  void close() throws Exception;
}
