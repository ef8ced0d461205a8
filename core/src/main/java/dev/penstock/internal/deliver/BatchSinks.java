package dev.penstock.internal.deliver;

import dev.penstock.internal.columns.BatchLayout;
import dev.penstock.internal.decode.RowSink;
import dev.penstock.internal.decode.RowSinks;
import dev.penstock.internal.memory.WorkerScratch;

/// The sinks of workers that fill batches.
///
/// @param layout what a batch looks like
/// @param mayConsumerMake whether the consumer makes results itself, see [DeliveryQueue#take]
public record BatchSinks(BatchLayout layout, DeliveryQueue queue, boolean mayConsumerMake)
    implements RowSinks {
  @Override
  public RowSink of(WorkerScratch scratch) {
    return new BatchSink(layout, queue, scratch);
  }

  @Override
  public void finish() {
    queue.collateRest();
  }

  @Override
  public void workersEnded() {
    queue.workersEnded();
  }

  @Override
  public void fail(Throwable cause) {
    queue.fail(0, 0, 0, cause);
  }

  @Override
  public void wake() {
    queue.wake();
  }

  @Override
  public long bytesOfNext() {
    return queue.bytesOfNext();
  }

  @Override
  public boolean isReady() {
    return queue.isForConsumer(mayConsumerMake);
  }
}
