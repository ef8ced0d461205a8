package dev.penstock.internal.passes;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.format.MemoryLimitException;
import dev.penstock.internal.columns.ColumnPlan;
import dev.penstock.internal.decode.EpochInput;
import dev.penstock.internal.decode.EpochResources;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.pipeline.PassEpoch;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.Source;
import dev.penstock.internal.workers.WorkerFailure;
import dev.penstock.internal.workers.WorkerPool;
import dev.penstock.options.Transformation;
import dev.penstock.stats.PassStats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads rows before an epoch of a loader, to find out something about them, with threads of its
/// own.
///
/// **Threads.** One reads at a time; [#close()] from any.
final class PassReader {
  /// The most passes to tell of: a loader that fails to count may be asked again and again.
  private static final int PASSES_MAX = 100;

  private final int workers;
  private final MemoryMeter meter;
  private volatile @Nullable WorkerPool readers; // of what is running
  private volatile boolean closed;

  @GuardedBy("this")
  private final List<PassStats> ended = new ArrayList<>();

  @GuardedBy("this")
  private @Nullable Pass running;

  private record Pass(String purpose, PassEpoch epoch, long rows, long start) {
    PassStats stats() {
      long nanos = System.nanoTime() - start;
      return new PassStats(purpose, rows, epoch.rowsRead(), epoch.bytesRead(), nanos);
    }
  }

  PassReader(int workers, MemoryMeter meter) {
    this.workers = workers;
    this.meter = meter;
  }

  /// Returns all rows that a filter may keep, in file order, cut at the edges of row groups.
  static List<Run> rows(List<Source> sources) {
    List<Run> runs = new ArrayList<>();
    for (Source source : sources) {
      runs.addAll(source.runs(source.inFileOrder(), Transformation.ROWS));
    }
    return runs;
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
    if (pool != null) {
      pool.requireOutside(); // it may end meanwhile
    }
  }

  /// Reads rows; the steps note what is to be found out.
  ///
  /// @param purpose what for, as `count the rows that match`
  /// @param columns those to decode besides what the steps look at
  void read(String purpose, List<Run> runs, RowSteps steps, List<ColumnPlan> columns) {
    try (WorkerPool pool = new WorkerPool(workers, meter)) {
      readers = pool;
      requireOpen(purpose); // close() may have come before it could see the pool
      PassEpoch epoch =
          new PassEpoch(
              purpose,
              new EpochInput(runs, null, steps),
              new EpochResources(pool, workers, workers, meter),
              columns);
      run(
          new Pass(
              purpose, epoch, runs.stream().mapToLong(Run::rowCount).sum(), System.nanoTime()));
      try {
        pool.start(epoch);
        epoch.await();
        requireOpen(purpose); // an epoch that was cancelled is at its end
      } finally {
        run(null);
        pool.end(epoch, "all rows were read");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    } catch (MemoryLimitException e) {
      throw new MemoryLimitException(e);
    } catch (WorkerFailure e) {
      throw e.forConsumer();
    } catch (IllegalStateException | IllegalArgumentException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e.getMessage(), e);
    } finally {
      readers = null;
    }
  }

  /// Leaves work of a pass to the thread that waits for it, see [PassEpoch#hand].
  void hand(Runnable work) {
    Pass pass;
    synchronized (this) {
      pass = running;
    }
    if (pass != null) {
      pass.epoch().hand(work);
    }
  }

  private synchronized void run(@Nullable Pass next) {
    if (running != null) {
      ended.add(running.stats());
      if (ended.size() > PASSES_MAX) {
        ended.removeFirst();
      }
    }
    running = next;
  }

  /// Returns what was read since [#take()]; the last may still be read.
  synchronized List<PassStats> stats() {
    List<PassStats> all = new ArrayList<>(ended);
    if (running != null) {
      all.add(running.stats());
    }
    return all;
  }

  /// Returns what was read, and forgets it.
  synchronized List<PassStats> take() {
    List<PassStats> all = List.copyOf(ended);
    ended.clear();
    return all;
  }

  private void requireOpen(String purpose) {
    if (closed) {
      throw new IllegalStateException("Cannot " + purpose + ": the loader is closed.");
    }
  }

  /// Ends what is read, and waits for it as [WorkerPool#close()] does. Nothing is read after it.
  void close() {
    closed = true;
    WorkerPool pool = readers;
    if (pool != null) {
      pool.close();
    }
  }
}
