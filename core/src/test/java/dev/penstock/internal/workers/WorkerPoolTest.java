package dev.penstock.internal.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.memory.WorkerScratch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

class WorkerPoolTest {
  private static final Duration SHORT = Duration.ofMillis(40);

  private final MemoryMeter meter = new MemoryMeter();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final ThreadFactory factory =
      work -> {
        Thread thread = Thread.ofPlatform().unstarted(work);
        threads.add(thread);
        return thread;
      };

  /// What happens to a task, in words.
  private static final class Task implements WorkerTask {
    private final List<String> met = new CopyOnWriteArrayList<>();
    private final CountDownLatch discarded = new CountDownLatch(1);
    private final IntConsumer work;

    Task(IntConsumer work) {
      this.work = work;
    }

    @Override
    public void work(WorkerScratch scratch, int worker) {
      work.accept(worker);
    }

    @Override
    public void fail(Throwable failure) {
      met.add("failed: " + failure.getMessage());
    }

    @Override
    public void cancel(String reason) {
      met.add("cancelled: " + reason);
    }

    @Override
    public void discardReady() {
      met.add("ready discarded");
    }

    @Override
    public void discard() {
      met.add("discarded");
      discarded.countDown();
    }
  }

  /// Waits, whatever interrupts it.
  private static void insist(CountDownLatch gate) {
    boolean open = false;
    while (!open) {
      try {
        gate.await();
        open = true;
      } catch (InterruptedException _) {
        // as code of users does
      }
    }
  }

  private void join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void codeThatDoesNotComeBackIsLeftBehindAndFreedWhenItDoes() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    Task stuck = new Task(_ -> insist(gate));
    WorkerPool pool = new WorkerPool(2, meter, factory, SHORT);
    pool.start(stuck);
    pool.end("enough");
    assertThat(stuck.met).containsExactly("cancelled: enough", "ready discarded");
    // The next task has threads of its own.
    CountDownLatch worked = new CountDownLatch(2);
    Task next = new Task(_ -> worked.countDown());
    pool.start(next);
    worked.await();
    pool.close();
    assertThat(next.met).containsExactly("cancelled: the loader is closed", "discarded");
    gate.countDown();
    stuck.discarded.await();
    join();
    assertThat(stuck.met).endsWith("discarded").doesNotHaveDuplicates();
    assertThat(meter.used()).isZero();
  }

  @Test
  void workerSurvivesWhatItsTaskThrows() throws InterruptedException {
    Task failing =
        new Task(worker -> {
          throw new StackOverflowError("worker " + worker);
        });
    CountDownLatch worked = new CountDownLatch(2);
    Task next = new Task(_ -> worked.countDown());
    try (WorkerPool pool = new WorkerPool(2, meter, factory, SHORT)) {
      pool.start(failing);
      pool.end("enough");
      assertThat(failing.met)
          .contains("failed: worker 0", "failed: worker 1")
          .endsWith("discarded");
      pool.start(next);
      worked.await();
    }
    assertThat(threads).hasSize(2);
    join();
  }

  @Test
  void taskThatIsEndedWithinIsFreedByTheLastWorker() throws InterruptedException {
    WorkerPool pool = new WorkerPool(2, meter, factory, SHORT);
    Task task =
        new Task(worker -> {
          if (worker == 0) {
            pool.close();
          }
        });
    pool.start(task);
    task.discarded.await();
    join();
    assertThat(task.met).endsWith("discarded");
    assertThatThrownBy(() -> pool.start(new Task(_ -> {})))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void threadsThatTheSystemRefusesLeaveNone() throws InterruptedException {
    ThreadFactory two =
        work -> {
          if (threads.size() == 2) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          return factory.newThread(work);
        };
    Task task = new Task(_ -> {});
    try (WorkerPool pool = new WorkerPool(4, meter, two, SHORT)) {
      assertThatThrownBy(() -> pool.start(task))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessage(
              "Cannot start worker 3 of 4: the system gives no more threads (unable to create"
                  + " native thread). Use fewer workers, or raise the limits on threads and"
                  + " memory.");
      join();
      assertThat(task.met).containsExactly("cancelled: it was not started", "discarded");
      assertThat(pool.hasThreads()).isFalse();
    }
  }

  @Test
  void consumerIsAtWorkAsAWorkerIs() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    CountDownLatch entered = new CountDownLatch(1);
    Task task = new Task(_ -> {});
    WorkerPool pool = new WorkerPool(0, meter, factory, SHORT);
    pool.start(task);
    Thread consumer =
        Thread.ofPlatform()
            .start(() ->
                pool.here(
                    task,
                    () -> {
                      entered.countDown();
                      insist(gate);
                      return 1;
                    }));
    entered.await();
    pool.close();
    assertThat(task.met).doesNotContain("discarded");
    gate.countDown();
    consumer.join();
    assertThat(task.met).endsWith("discarded");
  }
}
