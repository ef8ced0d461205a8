package dev.penstock.internal.decode;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.internal.fetch.Fetches;
import dev.penstock.internal.fetch.ReadCounter;
import dev.penstock.internal.table.TableFile;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// Reads the footers of remote files that are not kept, each by a thread of its own, which
/// [#cancel] interrupts.
///
/// **Threads.** Any.
final class FooterLoads {
  private final ReadCounter counter;
  private final Runnable loaded;

  @GuardedBy("this")
  private final Set<Load> running = new HashSet<>();

  @GuardedBy("this")
  private boolean isCancelled;

  private static final class Load {
    private final CompletableFuture<TableFile> footer = new CompletableFuture<>();
    private Runnable interrupt = () -> {}; // guarded by the loads
  }

  /// @param loaded is run after each footer that was read
  FooterLoads(ReadCounter counter, Runnable loaded) {
    this.counter = counter;
    this.loaded = loaded;
  }

  /// Begins to read a file's footer; it is there at once if it is kept.
  CompletableFuture<TableFile> begin(TableFile file) {
    Optional<TableFile> kept = file.kept();
    if (kept.isPresent()) {
      return CompletableFuture.completedFuture(kept.get());
    }
    Load load = new Load();
    synchronized (this) {
      if (isCancelled) {
        load.footer.completeExceptionally(new InterruptedIOException("The epoch was stopped."));
      } else {
        running.add(load);
        load.interrupt = Fetches.VIRTUAL.start("penstock-footer", () -> read(file, load));
      }
    }
    return load.footer;
  }

  private void read(TableFile file, Load load) {
    try (StorageFile opened = counter.counting(file.open())) {
      load.footer.complete(file.loaded(opened));
    } catch (Throwable e) {
      load.footer.completeExceptionally(e);
    }
    synchronized (this) {
      running.remove(load);
    }
    loaded.run();
  }

  /// Waits for a footer.
  static TableFile await(CompletableFuture<TableFile> load) throws IOException {
    try {
      return load.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException failure -> throw failure;
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case null, default -> throw new IOException(e);
      }
    }
  }

  synchronized void cancel() {
    isCancelled = true;
    running.forEach(load -> load.interrupt.run());
  }

  /// Waits until nothing is read any more. Call it after [#cancel].
  void close() {
    List<Load> left;
    synchronized (this) {
      left = List.copyOf(running);
    }
    left.forEach(load -> load.footer.handle((_, _) -> null).join());
  }
}
