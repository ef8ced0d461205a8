package dev.penstock.internal.objects;

import dev.penstock.internal.workers.UserCode;
import org.jspecify.annotations.Nullable;

/// A batch requested from a worker, and its result.
///
/// **Threads.** Guarded by the lock of its [SampleEpoch] until it is done.
final class SampleTask<B> {
  final int worker;
  final long[] indices;

  boolean done;
  Fetcher.@Nullable Fetched<B> fetched; // null if the worker has no more, or failed
  @Nullable Throwable failure;
  boolean here; // whether it failed on the consumer's thread

  SampleTask(int worker, long[] indices) {
    this.worker = worker;
    this.indices = indices;
  }

  void discard() {
    if (fetched != null && fetched.batch() instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Throwable e) { // users' code; it must not end the thread
        UserCode.warn(SampleTask.class, "Cannot close a batch that nobody received", e);
      }
    }
    fetched = null;
  }
}
