package dev.penstock.internal.deliver;

import java.time.Duration;

/// How the consumer receives batches.
///
/// @param timeout how long it waits for a batch; zero to wait forever
/// @param collate turns a batch into the object that it receives
/// @param onBatchClose run whenever it closes a batch
public record BatchConsumer(Duration timeout, BatchCollation collate, Runnable onBatchClose) {
  /// Returns whether a user's function collates the batches.
  ///
  /// @return false if it receives the batches themselves
  public boolean collates() {
    return !collate.equals(BatchCollation.NONE);
  }
}
