package dev.penstock.internal.pipeline;

import dev.penstock.internal.memory.WorkerScratch;

/// What all workers of a pool do together, once.
public interface WorkerTask {
  /// Does one worker's part: until nothing is left, or the task is cancelled. Throws nothing.
  ///
  /// @param scratch the worker's own working memory
  /// @param worker its number, counted from 0
  void work(WorkerScratch scratch, int worker);
}
