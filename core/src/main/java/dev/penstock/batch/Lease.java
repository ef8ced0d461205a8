package dev.penstock.batch;

import java.util.concurrent.atomic.AtomicBoolean;

/// The right to use some memory until it is given back, once.
///
/// Tensors ask their lease before every access, so that memory which already serves a later batch
/// cannot be read by mistake. Users meet it only when they make batches of their own.
///
/// **Threads.** Safe for any.
public final class Lease implements AutoCloseable {
  private final AtomicBoolean ended = new AtomicBoolean();
  private final Runnable onClose;

  /// Makes a lease.
  ///
  /// @param onClose gives the memory back; run once, by the first thread that closes
  public Lease(Runnable onClose) {
    this.onClose = onClose;
  }

  /// Checks that the memory may still be used.
  ///
  /// @throws IllegalStateException if the lease is closed
  public void check() {
    if (ended.getOpaque()) {
      throw new IllegalStateException(
          "Cannot use this batch: it is closed and its memory belongs to a later one. Read or copy"
              + " what you need before close().");
    }
  }

  /// Gives the memory back; further calls do nothing.
  @Override
  public void close() {
    if (ended.compareAndSet(false, true)) {
      onClose.run();
    }
  }
}
