package dev.penstock.internal.decode;

import dev.penstock.internal.memory.WorkerScratch;

/// Where the rows go that all workers of an epoch decode. Unless it says otherwise, nothing is left
/// to do when they are decoded, and the consumer receives nothing.
///
/// **Threads.** Any.
public interface RowSinks {
  RowSink of(WorkerScratch scratch);

  /// Returns whether it is to be known what rows were made of, also of those that are staged.
  default boolean isTraced() {
    return false;
  }

  /// Does what is left for a worker when all rows are decoded.
  default void finish() {}

  /// Records that no worker gives rows any more.
  void workersEnded();

  /// Records a failure that kept a worker from starting or ending.
  void fail(Throwable cause);

  /// Wakes the workers that wait here, so that they look whether to give up memory.
  default void wake() {}

  /// Returns the bytes of what the consumer will receive next, and those reserved for it; -1 if it
  /// was not begun.
  default long bytesOfNext() {
    return -1;
  }

  /// Returns whether something is ready for the consumer; false if it also needs a worker's time.
  default boolean isReady() {
    return false;
  }
}
