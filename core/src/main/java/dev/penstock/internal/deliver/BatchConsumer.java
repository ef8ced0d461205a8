package dev.penstock.internal.deliver;

import java.time.Duration;

/// Who receives batches, and as what.
///
/// @param timeout how long it waits for a batch; zero for ever
/// @param collate makes of a batch what it receives
/// @param onBatchClose run whenever it closes a batch
public record BatchConsumer(Duration timeout, BatchCollation collate, Runnable onBatchClose) {
  /// Returns whether the user's function makes something of batches.
  ///
  /// @return false if it receives the batches themselves
  public boolean collates() {
    return !collate.equals(BatchCollation.NONE);
  }
}
