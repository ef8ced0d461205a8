package dev.penstock.batch;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// The right to use some memory until it is returned, once.
///
/// Tensors check their lease before every access, so that memory of a later batch cannot be read by
/// mistake. Users need it only to make their own batches. Memory that a [Hold] needs is returned
/// when the lease and all holds are closed.
///
/// **Threads.** Safe for any.
public final class Lease implements AutoCloseable {
  private final AtomicBoolean ended = new AtomicBoolean();

  /// One for the open lease, plus one for each hold; once 0, it stays 0.
  private final AtomicInteger uses = new AtomicInteger(1);

  private final Runnable onClose;

  /// Makes a lease.
  ///
  /// @param onClose gives the memory back; run once, by the thread that closes the lease or the
  ///   last hold, whichever comes later
  public Lease(Runnable onClose) {
    this.onClose = onClose;
  }

  /// Checks that the memory may still be used.
  ///
  /// @throws IllegalStateException if the lease is closed
  public void check() {
    if (ended.getOpaque()) {
      throw closed();
    }
  }

  /// Returns whether the memory may not be used any more.
  boolean isClosed() {
    return ended.getOpaque();
  }

  private static IllegalStateException closed() {
    return new IllegalStateException(
        "Cannot use this batch: it is closed and its memory belongs to a later one. Read or copy"
            + " what you need before close().");
  }

  /// Keeps the memory until [#drop()].
  ///
  /// @throws IllegalStateException if the lease is closed
  void retain() {
    if (!tryRetain()) {
      throw closed();
    }
  }

  /// Keeps the memory until [#drop()], unless the lease is closed.
  boolean tryRetain() {
    // Closed since the check: a count of 0 must stay 0.
    return !isClosed() && uses.getAndUpdate(now -> now == 0 ? 0 : now + 1) != 0;
  }

  /// Ends one use.
  void drop() {
    if (uses.decrementAndGet() == 0) {
      onClose.run();
    }
  }

  /// Gives the memory back unless something holds it; further calls do nothing.
  @Override
  public void close() {
    if (ended.compareAndSet(false, true)) {
      drop();
    }
  }
}
