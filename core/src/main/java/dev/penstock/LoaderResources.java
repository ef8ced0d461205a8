package dev.penstock;

import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.workers.UserCode;
import dev.penstock.internal.workers.WorkerPool;
import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a loader gives back when it is closed: its threads and its memory. When nobody can reach
/// the loader any more they are given back with a warning; so nothing here, and nothing that its
/// threads hold, may know the loader.
///
/// **Threads.** Safe for any.
final class LoaderResources implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DataLoader.class);
  private static final Cleaner CLEANER = Cleaner.create();

  private final WorkerPool pool;
  private final String madeAt = UserCode.place();
  private final Cleaner.Cleanable cleanable;
  private @Nullable BatchMemory memory; // guarded by this

  /// Keeps what a loader has.
  ///
  /// @param loader the loader, which is only watched
  /// @param pool its threads
  LoaderResources(Object loader, WorkerPool pool) {
    this.pool = pool;
    this.cleanable = CLEANER.register(loader, this::freeUnreached);
  }

  /// Keeps memory in place of the one before, which is closed; null for none.
  synchronized void memory(@Nullable BatchMemory next) {
    if (memory != null) {
      memory.close();
    }
    memory = next;
  }

  private void freeUnreached() {
    if (pool.hasThreads()) {
      LOG.warn(
          "The loader that was made at {} was not closed, and nobody can reach it any more: its"
              + " workers are ended. Close each loader (try-with-resources).",
          madeAt);
    }
    free();
  }

  private void free() {
    pool.close();
    memory(null);
  }

  /// Ends the epoch and all threads, and frees the memory; batches that are open keep theirs.
  @Override
  public void close() {
    free();
    cleanable.clean();
  }
}
