package dev.penstock.internal.pipeline;

import dev.penstock.batch.Batch;

/// Makes of a batch what the consumer receives.
@FunctionalInterface
public interface BatchCollation {
  /// Delivers batches as they are.
  BatchCollation NONE = batch -> batch;

  /// Makes it.
  ///
  /// @param batch the batch; from now on the function's to close
  /// @return what the consumer receives
  /// @throws Exception if it cannot be made
  Object collate(Batch batch) throws Exception;
}
