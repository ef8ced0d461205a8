package dev.penstock.internal.deliver;

import java.util.concurrent.locks.ReentrantLock;

/// A lock for critical sections of a fraction of a microsecond: a thread that finds it taken spins
/// for a moment before it parks.
///
/// **Threads.** Any.
final class BriefLock extends ReentrantLock {
  /* Spinning takes at most 3 microseconds, waking a parked thread 30 to 50 (measured:
   * docs/design/speed-log.md). */
  private static final int TRIES = 100;

  private static final long serialVersionUID = 1L;

  BriefLock() {}

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
