package dev.penstock.internal.deliver;

import dev.penstock.batch.Batch;
import dev.penstock.internal.clock.StageClock;
import dev.penstock.stats.Stage;

/// Turns a batch into the object that the consumer receives.
@FunctionalInterface
public interface BatchCollation {
  /// Delivers batches as they are.
  BatchCollation NONE = batch -> batch;

  /// Returns the user's function, with its time counted as a stage.
  ///
  /// @return the same
  static BatchCollation of(BatchCollation function) {
    return batch -> StageClock.in(Stage.COLLATE, () -> function.collate(batch));
  }

  /// Turns a batch into the consumer's object.
  ///
  /// @param batch the batch; the function has to close it
  /// @return the object that the consumer receives
  /// @throws Exception if it cannot be made
  Object collate(Batch batch) throws Exception;
}
