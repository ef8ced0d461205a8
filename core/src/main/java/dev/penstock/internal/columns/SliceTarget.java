package dev.penstock.internal.columns;

import dev.penstock.internal.slices.Rows;
import java.io.IOException;

/// Copies decoded rows to their place in batches: one per column of the batch and worker.
///
/// Rows are copied in one pass, which also casts, handles nulls and fills the feature matrix.
///
/// **Threads.** One at a time; several workers copy into different rows of one batch.
public interface SliceTarget {
  /// Prepares for a new slice, which must stay valid until the next call.
  void prepare(Rows rows) throws IOException;

  /// Copies rows `[from, from + count)` of the slice to rows `[to, to + count)` of a batch.
  ///
  /// @throws IOException if a value cannot be delivered
  void copy(int from, int count, PartialBatch batch, int to) throws IOException;

  default void close() {}
}
