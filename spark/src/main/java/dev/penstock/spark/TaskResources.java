package dev.penstock.spark;

import dev.penstock.DataLoader;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;

/// Frees what a task holds when it ends, however it ends.
final class TaskResources {
  private TaskResources() {}

  /// Closes a loader when the task ends or is stopped.
  ///
  /// @return the loader
  static DataLoader closedWith(TaskContext context, DataLoader loader) {
    TaskWatch watch = TaskWatch.start(context, loader);
    TaskCompletionListener close =
        _ -> {
          watch.close();
          loader.close();
        };
    context.addTaskCompletionListener(close);
    return loader;
  }
}
