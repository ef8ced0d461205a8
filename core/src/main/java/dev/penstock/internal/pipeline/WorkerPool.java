package dev.penstock.internal.pipeline;

import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.memory.WorkerScratch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The decoding threads of one loader, kept from epoch to epoch.
///
/// Platform threads, because decoding is computation. They are daemons, so that a program that
/// forgets to close its loader can still end.
///
/// **Threads.** All methods are safe from any thread but the workers themselves.
public final class WorkerPool implements AutoCloseable {
  private final MemoryMeter meter;
  private final List<Thread> threads = new ArrayList<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable Epoch epoch;
  private long turn;
  private int atWork;
  private boolean closed;

  /// Starts the threads; they wait for an epoch.
  ///
  /// @param count how many
  /// @param meter what counts their working memory
  public WorkerPool(int count, MemoryMeter meter) {
    this.meter = meter;
    for (int i = 0; i < count; i++) {
      int worker = i;
      threads.add(
          Thread.ofPlatform()
              .name("penstock-worker-" + i)
              .daemon(true)
              .start(() -> workerLoop(worker)));
    }
  }

  /// Gives an epoch to all workers. The one before must have been ended, see [#awaitIdle].
  ///
  /// @param next the epoch
  public void start(Epoch next) {
    lock.lock();
    try {
      epoch = next;
      turn++;
      atWork = threads.size();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Waits until no worker is at work on the current epoch, which was cancelled or is at its end.
  /// Workers answer at their next slice.
  public void awaitIdle() {
    lock.lock();
    try {
      while (atWork > 0) {
        changed.awaitUninterruptibly();
      }
      epoch = null;
    } finally {
      lock.unlock();
    }
  }

  private void workerLoop(int worker) {
    try (WorkerScratch scratch = new WorkerScratch(meter)) {
      long lastTurn = 0;
      Epoch mine = awaitEpoch(lastTurn);
      while (mine != null) {
        lastTurn++;
        try {
          mine.work(scratch, worker);
        } finally {
          finished();
        }
        mine = awaitEpoch(lastTurn);
      }
    }
  }

  /// Waits for an epoch after the given turn; null when the pool is closed.
  private @Nullable Epoch awaitEpoch(long lastTurn) {
    lock.lock();
    try {
      while (!closed && turn == lastTurn) {
        changed.awaitUninterruptibly();
      }
      return closed ? null : epoch;
    } finally {
      lock.unlock();
    }
  }

  private void finished() {
    lock.lock();
    try {
      atWork--;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Ends the threads and waits for them. The current epoch must have been ended.
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
