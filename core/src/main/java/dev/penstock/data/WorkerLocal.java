package dev.penstock.data;

import dev.penstock.internal.workers.WorkerScope;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// One object for each worker, such as an open file: what a [MapDataset] keeps in a field and no
/// two threads may use at once.
///
/// A worker opens its own at its first [#get()] of an epoch. A loader without workers opens one on
/// the consumer's thread. A field of the dataset would be shared by all workers, and nothing would
/// close a [ThreadLocal].
///
/// **Ownership.** What a loader's workers opened is closed when their epoch ends. What was opened
/// elsewhere, such as by a test that calls the dataset itself, is closed by [#close()].
///
/// **Threads.** Safe for any; outside of loaders all threads get the same object.
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
  private final WorkerScope outside = new WorkerScope(Map.of());

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

  /// {@return the calling worker's object}
  ///
  /// @throws IOException if it cannot be opened; the next call tries again
  public H get() throws IOException {
    Optional<WorkerScope> worker = WorkerScope.current();
    if (worker.isPresent()) {
      return worker.get().opened(this, opener::open);
    }
    synchronized (outside) {
      return outside.opened(this, opener::open);
    }
  }

  /// Closes what was opened outside of loaders; a later [#get()] there opens anew.
  @Override
  public void close() {
    synchronized (outside) {
      outside.close();
    }
  }
}
