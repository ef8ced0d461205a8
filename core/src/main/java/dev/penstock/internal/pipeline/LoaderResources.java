package dev.penstock.internal.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.workers.UserCode;
import dev.penstock.internal.workers.WorkerPool;
import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The threads and memory of a loader, which closing it releases. If a loader becomes unreachable
/// without being closed, they are released with a warning; so nothing here, and nothing that its
/// threads hold, may reference the loader.
///
/// **Threads.** Safe for any.
public final class LoaderResources implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("dev.penstock.DataLoader");
  private static final Cleaner CLEANER = Cleaner.create();

  private final WorkerPool pool;
  private final String madeAt = UserCode.place();
  private final Cleaner.Cleanable cleanable;

  @GuardedBy("this")
  private @Nullable BatchMemory memory;

  /// @param loader the loader; only watched, never referenced
  public LoaderResources(Object loader, WorkerPool pool) {
    this.pool = pool;
    this.cleanable = CLEANER.register(loader, this::freeUnreached);
  }

  /// Replaces the memory and closes the previous one; null for none.
  public synchronized void memory(@Nullable BatchMemory next) {
    if (memory != null) {
      memory.close();
    }
    memory = next;
  }

  /// Frees first: the warning may fail, as in an application whose class loader is closed.
  private void freeUnreached() {
    boolean hadThreads = pool.hasThreads();
    free();
    if (hadThreads) {
      LOG.warn(
          "The loader that was made at {} was not closed, and nobody can reach it any more: its"
              + " workers are ended. Close each loader (try-with-resources).",
          madeAt);
    }
  }

  private void free() {
    try {
      pool.close();
    } finally {
      memory(null);
    }
  }

  /// Ends the epoch and all threads, and frees the memory; open batches keep theirs.
  @Override
  public void close() {
    free();
    cleanable.clean();
  }
}
