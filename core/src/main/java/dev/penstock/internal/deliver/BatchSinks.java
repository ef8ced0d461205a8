package dev.penstock.internal.deliver;

import dev.penstock.internal.columns.BatchLayout;
import dev.penstock.internal.decode.RowSink;
import dev.penstock.internal.decode.RowSinks;
import dev.penstock.internal.memory.WorkerScratch;

/// The sinks of workers that fill batches.
///
/// @param layout what a batch looks like
/// @param window the batches
public record BatchSinks(BatchLayout layout, DeliveryQueue window) implements RowSinks {
  @Override
  public RowSink of(WorkerScratch scratch) {
    return new BatchSink(layout, window, scratch);
  }

  @Override
  public void finish() {
    window.collateRest();
  }

  @Override
  public void workersEnded() {
    window.workersEnded();
  }

  @Override
  public void fail(Throwable cause) {
    window.fail(0, 0, 0, cause);
  }

  @Override
  public void wake() {
    window.wake();
  }

  @Override
  public long bytesOfNext() {
    return window.bytesOfNext();
  }

  @Override
  public boolean isReady() {
    return window.isReady();
  }
}
