package dev.penstock.data;

import dev.penstock.internal.workers.WorkerScope;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/// One object for each worker, such as an open file: what a [MapDataset] keeps in a field and no
/// two threads may use at once.
///
/// A worker opens its own at its first [#get()] of an epoch. A loader without workers opens one on
/// the consumer's thread. A field of the dataset would be shared by all workers, and nothing would
/// close a [ThreadLocal].
///
/// **Ownership.** What a loader's workers opened is closed when their epoch ends. Elsewhere, such
/// as in a test that calls the dataset itself or in threads that a worker starts, each thread gets
/// an object of its own, which is closed by [#close()].
///
/// **Threads.** [#get()] by any, at once; [#close()] when no thread outside of loaders uses its
/// object any more.
///
/// @param <H> what is opened
public final class WorkerLocal<H extends AutoCloseable> implements AutoCloseable {
  /// Opens an object.
  ///
  /// @param <H> what is opened
  @FunctionalInterface
  public interface Opener<H> {
    /// {@return a new object}
    ///
    /// @throws IOException if it cannot be opened
    H open() throws IOException;
  }

  private final Opener<H> opener;
  private final Map<Thread, WorkerScope> outside = new ConcurrentHashMap<>();

  private WorkerLocal(Opener<H> opener) {
    this.opener = opener;
  }

  /// {@return objects that are opened where they are first used}
  ///
  /// @param <H> what is opened
  /// @param opener opens one; called by several workers at once
  public static <H extends AutoCloseable> WorkerLocal<H> of(Opener<H> opener) {
    return new WorkerLocal<>(Objects.requireNonNull(opener, "opener must not be null."));
  }

  /// {@return the object of the calling worker, outside of loaders that of the calling thread}
  ///
  /// @throws IOException if it cannot be opened; the next call tries again
  public H get() throws IOException {
    return WorkerScope.current()
        .orElseGet(
            () -> outside.computeIfAbsent(Thread.currentThread(), _ -> new WorkerScope(Map.of())))
        .opened(this, opener::open);
  }

  /// Closes what was opened outside of loaders; a later [#get()] there opens anew.
  @Override
  public void close() {
    outside.values().forEach(WorkerScope::close);
    outside.clear();
  }
}
