package dev.penstock.internal.deliver;

import dev.penstock.internal.columns.BatchLayout;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.plan.EpochEnd;

/// How an epoch's batches are delivered.
///
/// @param layout what a batch looks like
/// @param memory where batches' memory comes from
/// @param prefetchFactor finished batches each worker may be ahead beyond its run
/// @param inOrder whether batches come in the order of the sequence rather than as they are ready
/// @param consumer how they are received
public record Delivery(
    BatchLayout layout,
    BatchMemory memory,
    EpochEnd end,
    int prefetchFactor,
    boolean inOrder,
    BatchConsumer consumer) {
  /// Returns the same with another action to run whenever a batch is closed.
  ///
  /// @param more run after the actions set before
  public Delivery onBatchClose(Runnable more) {
    Runnable all =
        () -> {
          consumer.onBatchClose().run();
          more.run();
        };
    return new Delivery(
        layout,
        memory,
        end,
        prefetchFactor,
        inOrder,
        new BatchConsumer(consumer.timeout(), consumer.collate(), all));
  }
}
