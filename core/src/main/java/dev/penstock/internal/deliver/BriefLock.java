package dev.penstock.internal.deliver;

import java.util.concurrent.locks.ReentrantLock;

/// A lock for what takes a fraction of a microsecond: who finds it taken tries again for a moment
/// before it lets its thread be parked.
///
/// **Threads.** Any.
final class BriefLock extends ReentrantLock {
  /* The moment is 3 microseconds at most, and to wake a thread takes 30 to 50; measured on the
   * machine of the figures of 2026-11-23 in docs/design/speed-log.md, nothing else running. */
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
