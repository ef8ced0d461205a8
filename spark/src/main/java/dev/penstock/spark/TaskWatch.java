package dev.penstock.spark;

import dev.penstock.DataLoader;
import java.time.Duration;
import org.apache.spark.TaskContext;

/// Closes the loader of a task that Spark has stopped, so that the task ends.
///
/// Spark only sets a flag. Its own iterators check it, but a training loop does not, and would keep
/// the slot that the next attempt of the stage waits for.
final class TaskWatch implements AutoCloseable {
  private static final Duration EVERY = Duration.ofMillis(200);

  private final Thread thread;

  private TaskWatch(Thread thread) {
    this.thread = thread;
  }

  static TaskWatch start(TaskContext context, DataLoader loader) {
    return new TaskWatch(
        Thread.ofVirtual().name("penstock-task-watch").start(() -> watch(context, loader)));
  }

  private static void watch(TaskContext context, DataLoader loader) {
    try {
      while (!context.isInterrupted()) {
        Thread.sleep(EVERY);
      }
      loader.close();
    } catch (InterruptedException e) {
      // The task has ended.
    }
  }

  /// Ends the watch. The owner closes the loader.
  @Override
  public void close() {
    thread.interrupt();
  }
}
