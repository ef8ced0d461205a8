package dev.penstock.internal.decode;

import dev.penstock.internal.fetch.Fetches;
import dev.penstock.internal.fetch.ReadCounter;
import dev.penstock.internal.table.TableFile;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// Reads the footers of remote files that are not kept, each by a thread of its own.
///
/// @param starter starts the threads, and interrupts them when the epoch ends
/// @param loaded is run after each footer that was read
record FooterLoads(ReadCounter counter, Fetches.Starter starter, Runnable loaded) {
  /// Begins to read a file's footer; it is there at once if it is kept.
  CompletableFuture<TableFile> begin(TableFile file) {
    Optional<TableFile> kept = file.kept();
    if (kept.isPresent()) {
      return CompletableFuture.completedFuture(kept.get());
    }
    CompletableFuture<TableFile> footer = new CompletableFuture<>();
    Runnable _ = starter.start("penstock-footer", () -> read(file, footer));
    return footer;
  }

  private void read(TableFile file, CompletableFuture<TableFile> footer) {
    try (StorageFile opened = counter.counting(file.open())) {
      footer.complete(file.loaded(opened));
    } catch (Throwable e) {
      footer.completeExceptionally(e);
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
}
