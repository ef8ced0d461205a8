package dev.penstock.internal.deliver;

import dev.penstock.internal.columns.BatchLayout;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.plan.EpochEnd;
import org.jspecify.annotations.Nullable;

/// How an epoch's batches are delivered.
///
/// @param prefetchFactor finished batches each worker may be ahead beyond its run
/// @param inOrder whether batches come in the order of the sequence rather than as they are ready
/// @param trace is told which rows the consumer receives; null if nobody asks
public record Delivery(
    BatchLayout layout,
    BatchMemory memory,
    EpochEnd end,
    int prefetchFactor,
    boolean inOrder,
    BatchConsumer consumer,
    @Nullable StepTrace trace) {
  /// Returns the same with an action to run whenever a batch is closed, after those set before.
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
        new BatchConsumer(consumer.timeout(), consumer.collate(), all),
        trace);
  }
}
