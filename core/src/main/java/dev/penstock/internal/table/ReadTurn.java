package dev.penstock.internal.table;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A thread's turn to read something from a store, while others that want it wait.
///
/// They wait at most a minute, because the store may never answer. Then the next of them has its
/// turn as well.
final class ReadTurn implements AutoCloseable {
  /// Tests set it.
  static volatile Duration waitMax = Duration.ofMinutes(1);

  private static final Map<Object, ReadTurn> TAKEN = new ConcurrentHashMap<>();

  private final Object wanted;
  private final CountDownLatch over = new CountDownLatch(1);

  private ReadTurn(Object wanted) {
    this.wanted = wanted;
  }

  /// Waits for a turn. What is wanted may be there by then.
  ///
  /// @param wanted stands for what is read
  /// @throws InterruptedIOException if the thread is interrupted meanwhile
  static ReadTurn take(Object wanted) throws InterruptedIOException {
    ReadTurn mine = new ReadTurn(wanted);
    ReadTurn other = TAKEN.putIfAbsent(wanted, mine);
    while (other != null && (other.isOver() || !TAKEN.replace(wanted, other, mine))) {
      other = TAKEN.putIfAbsent(wanted, mine);
    }
    return mine;
  }

  private boolean isOver() throws InterruptedIOException {
    try {
      return over.await(waitMax.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("Interrupted while another thread read the same.")
              .initCause(e);
    }
  }

  @Override
  public void close() {
    TAKEN.remove(wanted, this);
    over.countDown();
  }
}
