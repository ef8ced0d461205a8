package dev.penstock.batch;

import java.util.List;

/// Makes a batch of rows.
///
/// **Threads.** Called by several workers at once.
///
/// @param <T> what a row is
/// @param <B> what a batch is
@FunctionalInterface
public interface Collator<T, B> {
  /// Makes a batch.
  ///
  /// @param rows at least one, valid during the call
  /// @param batch takes columns in the loader's memory, for a collator that makes a [Batch]; others
  ///   leave it alone
  /// @return the batch, not null
  /// @throws Exception if the rows do not make one
  B collate(List<T> rows, BatchBuilder batch) throws Exception;
}
