package dev.penstock.data;

import dev.penstock.sample.Generator;
import java.util.Objects;
import java.util.Optional;

/// Which worker the calling thread is: for datasets, collators and functions that run in workers.
///
/// **Threads.** A worker's own; the [Generator] is used by that worker only.
///
/// @param id the worker's number, in `[0, count)`
/// @param count how many workers the loader has
/// @param seed the seed of this worker in this epoch: the epoch's base seed, plus `id`
/// @param epoch the epoch, counted from 0
/// @param dataset what the loader reads
/// @param generator random numbers of this worker, seeded by `seed`
public record WorkerInfo(
    int id, int count, long seed, long epoch, Object dataset, Generator generator) {
  private static final ScopedValue<WorkerInfo> CURRENT = ScopedValue.newInstance();

  /// Checks the numbers.
  public WorkerInfo {
    Objects.checkIndex(id, count);
    Objects.requireNonNull(dataset, "dataset must not be null.");
    Objects.requireNonNull(generator);
  }

  /// Returns which worker the calling thread is.
  ///
  /// @return empty on the consumer's thread, which does the work itself when there are no workers
  public static Optional<WorkerInfo> current() {
    return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
  }

  /// Runs something as this worker. For loaders, and for tests of datasets.
  ///
  /// @param <R> what it gives
  /// @param <X> what it throws
  /// @param work what to run
  /// @return what it gave
  /// @throws X if it did
  public <R, X extends Throwable> R call(ScopedValue.CallableOp<? extends R, X> work) throws X {
    return ScopedValue.where(CURRENT, this).call(work);
  }
}
