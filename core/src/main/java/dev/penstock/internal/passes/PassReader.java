package dev.penstock.internal.passes;

import dev.penstock.format.MemoryLimitException;
import dev.penstock.internal.columns.ColumnPlan;
import dev.penstock.internal.decode.EpochResources;
import dev.penstock.internal.decode.EpochInput;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.pipeline.MatchEpoch;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.workers.TransformException;
import dev.penstock.internal.workers.WorkerPool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads rows before an epoch of a loader, to find out something about them, with threads of its
/// own.
///
/// **Threads.** One reads at a time; [#close()] from any.
final class PassReader {
  private final int workers;
  private final MemoryMeter meter;
  private volatile @Nullable MatchEpoch running;
  private volatile @Nullable WorkerPool readers; // of what is running
  private volatile boolean closed;

  PassReader(int workers, MemoryMeter meter) {
    this.workers = workers;
    this.meter = meter;
  }

  int workers() {
    return workers;
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
  /// @param what what is found out, for messages
  /// @param columns those to decode besides what the steps look at
  void read(String what, List<Run> runs, RowSteps steps, List<ColumnPlan> columns) {
    try (WorkerPool pool = new WorkerPool(workers, meter)) {
      MatchEpoch epoch =
          new MatchEpoch(
              new EpochInput(runs, null, steps),
              new EpochResources(pool, workers, workers, meter),
              columns);
      running = epoch;
      readers = pool;
      try {
        requireOpen(what); // close() may have come before it could see the epoch
        pool.start(epoch);
        epoch.await();
        requireOpen(what); // an epoch that was cancelled is at its end
      } finally {
        running = null;
        readers = null;
        pool.end(epoch, "all rows were counted");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    } catch (MemoryLimitException e) {
      throw new MemoryLimitException(e);
    } catch (TransformException | IllegalStateException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private void requireOpen(String what) {
    if (closed) {
      throw new IllegalStateException("Cannot count " + what + ": the loader is closed.");
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
