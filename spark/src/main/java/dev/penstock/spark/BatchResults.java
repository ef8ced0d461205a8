package dev.penstock.spark;

import dev.penstock.DataLoader;
import dev.penstock.split.Rank;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;

/// The results of a user's task. Its loader is closed behind the last one; if the task ends before,
/// however it ends, then.
///
/// A task may have several partitions, one behind the other, after `coalesce`: a loader that stayed
/// open, or was kept, until the end of the task would keep its memory.
///
/// @param <T> the type of the results
final class BatchResults<T> implements Iterator<T> {
  private final Iterator<T> results;
  private final Runnable close;

  private BatchResults(Iterator<T> results, Runnable close) {
    this.results = results;
    this.close = close;
  }

  /// Runs a task.
  ///
  /// @param rank the rank that the loader has to have
  /// @param loader its batches; closed here
  /// @param freed run once when the loader is closed
  /// @throws IllegalArgumentException if the loader has another rank
  static <T> Iterator<T> of(
      TaskContext context, Rank rank, DataLoader loader, Runnable freed, BatchTask<T> task)
      throws Exception {
    TaskWatch watch = TaskWatch.start(context, loader);
    AtomicReference<Runnable> open =
        new AtomicReference<>(() -> {
          watch.close();
          try {
            loader.close();
          } finally {
            freed.run();
          }
        });
    Runnable close = () -> open.getAndSet(() -> {}).run(); // Spark keeps it until the task ends
    TaskCompletionListener atTheEnd = _ -> close.run();
    context.addTaskCompletionListener(atTheEnd);
    GivenRank.require(rank, loader);
    return new BatchResults<>(task.run(loader), close);
  }

  @Override
  public boolean hasNext() {
    if (results.hasNext()) {
      return true;
    }
    close.run();
    return false;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return results.next();
  }
}
