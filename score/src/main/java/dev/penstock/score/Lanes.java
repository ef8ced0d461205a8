package dev.penstock.score;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Threads that take one task after another, each the next that none has begun, until one fails.
final class Lanes {
  /// How long a run that ends early waits for what its threads are at: the model of a user may
  /// never return.
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /// As much as a main thread has on Linux: native code of models runs on these threads.
  private static final long STACK_BYTES = 8 << 20;

  /// A task by its number.
  interface Task {
    void run(int number) throws Exception;
  }

  private final AtomicInteger next = new AtomicInteger();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean isStopped;

  boolean isStopped() {
    return isStopped;
  }

  /// Runs tasks `[0, count)`.
  ///
  /// @throws Exception what the first task that failed threw
  /// @throws InterruptedException if the caller is interrupted
  void run(int threads, int count, Task task) throws Exception {
    if (count == 0) {
      return;
    }
    AtomicInteger running = new AtomicInteger(Math.min(threads, count));
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < running.get(); i++) {
      Thread thread =
          new Thread(null, () -> lane(count, task, running), "penstock-score-" + i, STACK_BYTES);
      thread.setDaemon(true);
      all.add(thread);
    }
    all.forEach(Thread::start);
    try {
      ended.await();
    } finally {
      isStopped = true;
      end(all);
    }
    Throwable thrown = failure.get();
    if (thrown instanceof Exception exception) {
      throw exception;
    }
    if (thrown instanceof Error error) {
      throw error;
    }
  }

  private void lane(int count, Task task, AtomicInteger running) {
    try {
      for (int number = next.getAndIncrement();
          number < count && !isStopped;
          number = next.getAndIncrement()) {
        task.run(number);
      }
    } catch (Throwable e) { // handed to the caller
      failure.compareAndSet(null, e);
      isStopped = true;
      ended.countDown();
    } finally {
      if (running.decrementAndGet() == 0) {
        ended.countDown();
      }
    }
  }

  /// Waits for threads, a bounded time; those that are still at work are interrupted.
  private static void end(List<Thread> threads) throws InterruptedException {
    threads.forEach(Thread::interrupt);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    for (Thread thread : threads) {
      thread.join(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }
  }
}
