package dev.penstock.internal.deliver;

import java.time.Duration;

/// How the consumer receives batches.
///
/// @param timeout how long it waits for a batch; zero to wait forever
public record BatchConsumer(Duration timeout, BatchCollation collate, Runnable onBatchClose) {
  /// Returns whether a user's function collates the batches; else they are received themselves.
  public boolean collates() {
    return !collate.equals(BatchCollation.NONE);
  }
}
