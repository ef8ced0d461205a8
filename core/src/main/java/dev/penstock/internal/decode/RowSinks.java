package dev.penstock.internal.decode;

import dev.penstock.internal.memory.WorkerScratch;

/// Where the rows go that all workers of an epoch decode.
///
/// **Threads.** Any.
public interface RowSinks {
  /// Returns the sink of one worker.
  ///
  /// @param scratch the worker's own working memory
  /// @return a sink of its own
  RowSink of(WorkerScratch scratch);

  /// Does what is left for a worker when all rows are decoded.
  void finish();

  /// Takes that no worker gives rows any more.
  void workersEnded();

  /// Takes a failure that hinders a worker from starting or ending.
  void fail(Throwable cause);

  /// Wakes the workers that wait here, so that they look whether to give up memory.
  void wake();

  /// Returns what the consumer will receive next has, and what is reserved for it.
  ///
  /// @return bytes, and -1 if it was not begun
  long bytesOfNext();

  /// Returns whether something is ready for the consumer.
  ///
  /// @return false if it also needs a worker's time
  boolean isReady();
}
