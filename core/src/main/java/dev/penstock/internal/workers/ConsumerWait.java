package dev.penstock.internal.workers;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/// One wait of the consumer for a batch: no longer than its timeout, and ended by an interrupt.
///
/// **Threads.** The consumer's.
public final class ConsumerWait {
  private final Duration timeout;
  private final long end;

  /// Begins to wait; without an end if the timeout is zero.
  public ConsumerWait(Duration timeout) {
    this.timeout = timeout;
    // At most 292 years.
    this.end = timeout.isZero() ? 0 : System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
  }

  /// Waits until signalled. The caller has the loop.
  @SuppressWarnings("WaitNotInLoop") // the caller has the loop
  public void on(Condition condition) throws TimedOut, InterruptedException {
    if (timeout.isZero()) {
      condition.await();
      return;
    }
    long left = end - System.nanoTime();
    if (left <= 0 || (condition.awaitNanos(left) <= 0 && end - System.nanoTime() <= 0)) {
      throw new TimedOut(timeout);
    }
  }

  /// Returns the error of an interrupted wait for a batch; the thread stays interrupted.
  public static InterruptedIOException interrupted(String batch, InterruptedException cause) {
    Thread.currentThread().interrupt();
    InterruptedIOException told =
        new InterruptedIOException(
            "Interrupted while waiting for "
                + batch
                + ". Ask for it again to go on, or close the loader.");
    told.initCause(cause);
    return told;
  }
}
