package dev.penstock.internal.workers;

import dev.penstock.internal.memory.WorkerScratch;

/// What all workers of a pool do together, once: an epoch.
public interface WorkerTask {
  /// Does one worker's part: until nothing is left, or the task is cancelled. Throws nothing.
  ///
  /// @param scratch the worker's own working memory
  /// @param worker its number, counted from 0
  void work(WorkerScratch scratch, int worker);

  /// Takes what [#work] has thrown all the same, for the consumer.
  ///
  /// @param failure what it was
  void fail(Throwable failure);

  /// Asks all that work on this to stop, without waiting for them. The consumer is told from now on
  /// that it was stopped. Does nothing the second time.
  ///
  /// @param reason why, as the end of a sentence
  void cancel(String reason);

  /// Frees what is ready and nobody received. To be called after [#cancel]; workers may be at work.
  void discardReady();

  /// Frees everything. To be called once, after [#cancel], when nobody is at work any more.
  void discard();
}
