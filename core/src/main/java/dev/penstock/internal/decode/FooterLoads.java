package dev.penstock.internal.decode;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.internal.fetch.Fetches;
import dev.penstock.internal.fetch.ReadCounter;
import dev.penstock.internal.table.TableFile;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private final Map<CompletableFuture<TableFile>, Runnable> running = new HashMap<>();

  @GuardedBy("this")
  private boolean isCancelled;

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
    CompletableFuture<TableFile> load = new CompletableFuture<>();
    synchronized (this) {
      if (isCancelled) {
        load.completeExceptionally(new InterruptedIOException("The epoch was stopped."));
      } else {
        running.put(load, Fetches.VIRTUAL.start("penstock-footer", () -> read(file, load)));
      }
    }
    return load;
  }

  private void read(TableFile file, CompletableFuture<TableFile> load) {
    try (StorageFile opened = counter.counting(file.open())) {
      load.complete(file.loaded(opened));
    } catch (Throwable e) {
      load.completeExceptionally(e);
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
    running.values().forEach(Runnable::run);
  }

  /// Waits until nothing is read any more. Call it after [#cancel].
  void close() {
    List<CompletableFuture<TableFile>> left;
    synchronized (this) {
      left = List.copyOf(running.keySet());
    }
    left.forEach(load -> load.handle((_, _) -> null).join());
  }
}
