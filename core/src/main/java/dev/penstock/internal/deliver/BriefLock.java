package dev.penstock.internal.deliver;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The lock of a [DeliveryQueue], and what is waited for with it. For critical sections of a
/// fraction of a microsecond: a thread that finds it taken spins for a moment before it parks.
///
/// **Threads.** Any.
final class BriefLock extends ReentrantLock {
  /* Spinning takes at most 3 microseconds, waking a parked thread 30 to 50 (measured:
   * docs/design/speed-log.md). */
  private static final int TRIES = 100;

  private static final long serialVersionUID = 1L;

  /// What workers wait for: the window moved, or there is something else to do.
  final transient Condition moved = newCondition();

  /// What the consumer waits for: the next batch, failure or end.
  final transient Condition ready = newCondition();

  private final transient Held held = this::unlock;

  /// The lock, until it is unlocked.
  interface Held extends AutoCloseable {
    @Override
    void close();
  }

  BriefLock() {}

  /// Locks, until the result is closed.
  Held hold() {
    lock();
    return held;
  }

  @Override
  public void lock() {
    for (int i = 0; i < TRIES; i++) {
      if (tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    super.lock();
  }
}
