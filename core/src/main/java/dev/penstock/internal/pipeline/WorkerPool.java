package dev.penstock.internal.pipeline;

import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.memory.WorkerScratch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The threads of one loader, kept from epoch to epoch.
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
  private @Nullable WorkerTask task;
  private long turn;
  private int atWork;
  private boolean closed;

  /// Starts the threads; they wait for a task.
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

  /// Gives a task, which is an epoch, to all workers. The one before must have been ended, see
  /// [#awaitIdle].
  ///
  /// @param next the task
  public void start(WorkerTask next) {
    lock.lock();
    try {
      task = next;
      turn++;
      atWork = threads.size();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Waits until no worker is at work on the current task, which was cancelled or is at its end.
  /// Workers answer at their next slice.
  public void awaitIdle() {
    lock.lock();
    try {
      while (atWork > 0) {
        changed.awaitUninterruptibly();
      }
      task = null;
    } finally {
      lock.unlock();
    }
  }

  /// Waits as [#awaitIdle()], but no longer than given. Users' code may be at work that does not
  /// come back; after half the time the threads are interrupted, which wakes most code that waits.
  ///
  /// @param most how long to wait
  /// @return whether all are idle
  public boolean awaitIdle(Duration most) {
    if (!isIdleWithin(most.dividedBy(2))) {
      threads.forEach(Thread::interrupt);
      return isIdleWithin(most.dividedBy(2));
    }
    return true;
  }

  private boolean isIdleWithin(Duration most) {
    boolean interrupted = false;
    long end = System.nanoTime() + most.toNanos();
    lock.lock();
    try {
      while (atWork > 0 && end - System.nanoTime() > 0) {
        try {
          interrupted |= changed.awaitNanos(end - System.nanoTime()) > most.toNanos();
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
      if (atWork > 0) {
        return false;
      }
      task = null;
      return true;
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// Ends the threads without waiting for them: each ends when its work comes back.
  public void abandon() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void workerLoop(int worker) {
    try (WorkerScratch scratch = new WorkerScratch(meter)) {
      long lastTurn = 0;
      WorkerTask mine = awaitTask(lastTurn);
      while (mine != null) {
        lastTurn++;
        Thread.interrupted(); // was meant for the task before
        try {
          mine.work(scratch, worker);
        } finally {
          finished();
        }
        mine = awaitTask(lastTurn);
      }
    }
  }

  /// Waits for a task after the given turn; null when the pool is closed.
  private @Nullable WorkerTask awaitTask(long lastTurn) {
    lock.lock();
    try {
      while (!closed && turn == lastTurn) {
        changed.awaitUninterruptibly();
      }
      return closed ? null : task;
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

  /// Ends the threads and waits for them. The current task must have been ended.
  @Override
  public void close() {
    abandon();
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
