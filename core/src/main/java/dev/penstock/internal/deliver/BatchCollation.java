package dev.penstock.internal.deliver;

import dev.penstock.batch.Batch;
import dev.penstock.internal.clock.StageClock;
import dev.penstock.stats.Stage;

/// Turns a batch into the object that the consumer receives.
@FunctionalInterface
public interface BatchCollation {
  /// Delivers batches as they are.
  BatchCollation NONE = batch -> batch;

  static BatchCollation of(BatchCollation function) {
    return batch -> StageClock.in(Stage.COLLATE, () -> function.collate(batch));
  }

  /// Turns a batch, which the function has to close, into the object that the consumer receives.
  Object collate(Batch batch) throws Exception;
}
