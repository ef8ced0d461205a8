package dev.penstock.data;

import dev.penstock.internal.workers.WorkerScope;
import dev.penstock.sample.Generator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Tells datasets, collators and functions which worker calls them.
///
/// **Threads.** Each worker has its own; only that worker uses the [Generator].
///
/// @param id the worker's number, in `[0, count)`
/// @param count how many workers the loader has
/// @param seed the seed of this worker in this epoch: the epoch's base seed, plus `id`
/// @param epoch the epoch, counted from 0
/// @param dataset what the worker reads: the dataset of the loader, or this worker's own
///   [IterableDataset#copyForWorker()]
/// @param generator random numbers of this worker, seeded by `seed`: its [Generator#global()]
public record WorkerInfo(
    int id, int count, long seed, long epoch, Object dataset, Generator generator) {
  /// Checks the numbers.
  public WorkerInfo {
    Objects.checkIndex(id, count);
    Objects.requireNonNull(dataset, "dataset must not be null.");
    Objects.requireNonNull(generator);
  }

  /// {@return the worker of the calling thread; empty on the consumer's thread, which does the work
  /// itself when there are no workers}
  public static Optional<WorkerInfo> current() {
    return WorkerScope.own(WorkerInfo.class);
  }

  /// {@return what the worker reads}
  @Override
  public Object dataset() {
    WorkerScope.note(WorkerScope.Asked.DATASET);
    return dataset;
  }

  /// Runs code as this worker, and then closes what it opened by a [WorkerLocal]. For loaders, and
  /// for tests of datasets.
  ///
  /// @param <R> the type of the result
  /// @param <X> the exception that it throws
  /// @param work what to run
  /// @return its result
  /// @throws X if the code throws it
  public <R, X extends Throwable> R call(ScopedValue.CallableOp<? extends R, X> work) throws X {
    try (WorkerScope scope =
        new WorkerScope(Map.of(WorkerInfo.class, this, Generator.class, generator))) {
      return scope.call(work);
    }
  }
}
