package dev.penstock.internal.pipeline;

import java.util.concurrent.locks.ReentrantLock;

/// A lock for what takes a fraction of a microsecond: who finds it taken tries again for a moment
/// before it lets its thread be parked.
///
/// **Threads.** Any.
final class BriefLock extends ReentrantLock {
  /* To park and wake a thread takes some 50 microseconds of its time, the moment at most 2 or 3. */
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
