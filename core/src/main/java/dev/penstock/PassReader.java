package dev.penstock;

import dev.penstock.format.MemoryLimitException;
import dev.penstock.internal.columns.ColumnPlan;
import dev.penstock.internal.decode.EpochMeans;
import dev.penstock.internal.decode.EpochRows;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.pipeline.MatchEpoch;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.workers.TransformException;
import dev.penstock.internal.workers.WorkerPool;
import dev.penstock.options.LoaderOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads rows before the first epoch of a loader, to find out something about them, with threads of
/// its own.
///
/// **Threads.** One reads at a time; [#close()] from any.
final class PassReader {
  private final String counted;
  private final LoaderOptions options;
  private final MemoryMeter meter;
  private volatile @Nullable MatchEpoch running;
  private volatile @Nullable WorkerPool readers; // of what is running
  private volatile boolean closed;

  /// Makes the reader. Nothing is read yet.
  ///
  /// @param counted what is counted, for messages
  /// @param options for the number of workers
  /// @param meter has the limit of all memory
  PassReader(String counted, LoaderOptions options, MemoryMeter meter) {
    this.counted = counted;
    this.options = options;
    this.meter = meter;
  }

  /// Checks that the caller is not code of the user that the pass runs, which would wait for
  /// itself.
  ///
  /// @throws IllegalStateException if it is
  void requireOutside() {
    WorkerPool pool = readers;
    if (pool != null && !pool.isClosed()) {
      pool.requireReady();
    }
  }

  /// Reads rows; the steps note what is to be found out.
  ///
  /// @throws UncheckedIOException if the files cannot be read
  /// @throws MemoryLimitException if the memory is too little
  /// @throws WorkerException if a transform fails
  /// @throws IllegalStateException if this is closed before all is read
  void read(List<Run> runs, RowSteps steps) {
    read(runs, steps, List.of());
  }

  /// Reads rows, and decodes some columns of them.
  void read(List<Run> runs, RowSteps steps, List<ColumnPlan> columns) {
    int workers = options.reading().workers();
    try (WorkerPool pool = new WorkerPool(workers, meter)) {
      MatchEpoch epoch =
          new MatchEpoch(
              new EpochRows(runs, null, steps),
              new EpochMeans(pool, workers, workers, meter),
              columns);
      running = epoch;
      readers = pool;
      try {
        requireOpen(); // close() may have come before it could see the epoch
        pool.start(epoch);
        epoch.await();
        requireOpen(); // an epoch that was cancelled is at its end
      } finally {
        running = null;
        readers = null;
        pool.end(epoch, "all rows were counted");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    } catch (MemoryLimitException e) {
      throw new MemoryLimitException(e);
    } catch (TransformException e) {
      throw new WorkerException(String.valueOf(e.getMessage()), e);
    } catch (IllegalStateException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("Cannot count " + counted + ": the loader is closed.");
    }
  }

  /// Ends what is read; nothing will be read after it.
  void close() {
    closed = true;
    MatchEpoch epoch = running;
    if (epoch != null) {
      epoch.cancel("the loader is closed");
    }
  }
}
