package dev.penstock.internal.plan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The places of rows in batches when each worker makes batches of its own rows and the workers
/// take turns: batches come from worker 0, 1, 2 and so on, skipping workers that have no more.
///
/// Rows are numbered one worker after another, in the order of its runs. A row's place is the
/// number of its batch times the batch size, plus its index in the batch. A worker's last batch may
/// be short; the places after its rows are then unused.
///
/// Immutable.
public final class BatchTurns {
  private final int batchSize;
  private final int[] runsBefore; // per worker; the last entry counts all
  private final long[] rowsBefore; // per worker; the last entry counts all
  private final long[] batches; // per worker
  private final Map<Long, Integer> shortBatches = new HashMap<>();

  /// @param workers the runs of each worker, whose numbers of rows are known
  /// @param batchSize the most rows of a batch
  /// @param leastRows a worker's last batch is left out when it has fewer
  public BatchTurns(List<List<Run>> workers, int batchSize, int leastRows) {
    this.batchSize = batchSize;
    this.runsBefore = new int[workers.size() + 1];
    this.rowsBefore = new long[workers.size() + 1];
    this.batches = new long[workers.size()];
    for (int worker = 0; worker < batches.length; worker++) {
      long rows = workers.get(worker).stream().mapToLong(Run::rowCount).sum();
      runsBefore[worker + 1] = runsBefore[worker] + workers.get(worker).size();
      rowsBefore[worker + 1] = rowsBefore[worker] + rows;
      batches[worker] = rows / batchSize + (rows % batchSize >= Math.max(1, leastRows) ? 1 : 0);
      if (leastRows > batchSize) { // There are too few rows for a batch.
        batches[worker] = 0;
      }
    }
    for (int worker = 0; worker < batches.length; worker++) {
      long rows = rowsBefore[worker + 1] - rowsBefore[worker];
      if (batches[worker] * batchSize > rows) {
        shortBatches.put(number(worker, batches[worker] - 1), (int) (rows % batchSize));
      }
    }
  }

  public int workers() {
    return batches.length;
  }

  /// Returns the first run of a worker; if `worker` is the number of workers, the number of runs.
  public int firstRun(int worker) {
    return runsBefore[worker];
  }

  public long batches() {
    return number(0, Long.MAX_VALUE);
  }

  /// Returns the place of the row with a number; [Long#MAX_VALUE] where it is not delivered.
  public long place(long row) {
    int worker = 0;
    while (worker < batches.length - 1 && row >= rowsBefore[worker + 1]) {
      worker++;
    }
    long own = row - rowsBefore[worker];
    long batch = own / batchSize;
    return batch >= batches[worker]
        ? Long.MAX_VALUE
        : number(worker, batch) * batchSize + own % batchSize;
  }

  /// Returns how many batches come before a worker's batch: in earlier turns, and earlier in the
  /// same turn.
  private long number(int worker, long turn) {
    long before = 0;
    for (int other = 0; other < batches.length; other++) {
      before += Math.min(batches[other], turn);
      before += other < worker && batches[other] > turn ? 1 : 0;
    }
    return before;
  }

  public int rowCount(long batch) {
    return shortBatches.getOrDefault(batch, batchSize);
  }
}
