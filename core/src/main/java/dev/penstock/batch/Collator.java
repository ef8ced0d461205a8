package dev.penstock.batch;

import java.util.List;

/// Makes a batch from rows.
///
/// **Threads.** Called by several workers at once.
///
/// @param <T> what a row is
/// @param <B> what a batch is
@FunctionalInterface
public interface Collator<T, B> {
  /// {@return a batch of rows, not null}
  ///
  /// @param rows at least one, valid during the call
  /// @param batch for a collator that makes a [Batch]: collects columns in the loader's memory;
  ///   others ignore it
  /// @throws Exception if no batch can be made from the rows
  B collate(List<T> rows, BatchBuilder batch) throws Exception;
}
