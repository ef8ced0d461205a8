package dev.penstock.internal.workers;

import dev.penstock.internal.memory.WorkerScratch;

/// The work that all workers of a pool do together, once: an epoch.
public interface WorkerTask {
  /// Does one worker's part: until nothing is left, or the task is cancelled. Throws nothing.
  ///
  /// @param worker its number, counted from 0
  void work(WorkerScratch scratch, int worker);

  /// Reports to the consumer an exception that [#work] threw nevertheless.
  void fail(Throwable failure);

  /// Asks all workers on this to stop, without waiting for them. From now on, the consumer gets an
  /// error that it was stopped. Does nothing the second time.
  ///
  /// @param reason why, as the end of a sentence
  void cancel(String reason);

  /// Frees results that are ready but were not received. Call it after [#cancel]; workers may still
  /// be running.
  void discardReady();

  /// Frees everything. Call it once, after [#cancel] and after all workers have stopped.
  void discard();
}
