package dev.penstock.internal.deliver;

import dev.penstock.batch.Batch;
import dev.penstock.internal.clock.StageClock;
import dev.penstock.stats.Stage;

/// Makes of a batch what the consumer receives.
@FunctionalInterface
public interface BatchCollation {
  /// Delivers batches as they are.
  BatchCollation NONE = batch -> batch;

  /// Returns the user's function, with its time as that of a stage.
  ///
  /// @param function the function
  /// @return the same
  static BatchCollation of(BatchCollation function) {
    return batch -> StageClock.in(Stage.COLLATE, () -> function.collate(batch));
  }

  /// Makes it.
  ///
  /// @param batch the batch; from now on the function's to close
  /// @return what the consumer receives
  /// @throws Exception if it cannot be made
  Object collate(Batch batch) throws Exception;
}
