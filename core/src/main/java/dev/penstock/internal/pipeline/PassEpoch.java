package dev.penstock.internal.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.internal.columns.ColumnGroup;
import dev.penstock.internal.columns.ColumnGroup.DecodingWork;
import dev.penstock.internal.columns.ColumnPlan;
import dev.penstock.internal.decode.DecodeUnit;
import dev.penstock.internal.decode.Decoding;
import dev.penstock.internal.decode.EpochInput;
import dev.penstock.internal.decode.EpochResources;
import dev.penstock.internal.decode.RowSink;
import dev.penstock.internal.decode.RowSinks;
import dev.penstock.internal.memory.WorkerScratch;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.workers.ConsumerWait;
import dev.penstock.internal.workers.TimedOut;
import dev.penstock.internal.workers.WorkerTask;
import dev.penstock.internal.workers.WorkerWait;
import dev.penstock.stats.StoreReads;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// One pass over rows that only notes what is found out about them, as which of them match a
/// filter: nothing is delivered.
///
/// **Threads.** [#await] by one; [#cancel] from any.
public final class PassEpoch implements WorkerTask {
  /// How much handed work may wait for the thread that awaits the pass; then workers wait.
  private static final int HANDED_MAX = 16;

  private final String purpose;
  private final List<Run> runs;
  private final boolean isInline; // without workers
  private final Decoding decoding;
  private final AtomicLong rowsRead = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  @GuardedBy("lock")
  private final Deque<Runnable> handed = new ArrayDeque<>();

  @GuardedBy("lock")
  private boolean ended;

  @GuardedBy("lock")
  private boolean cancelled;

  @GuardedBy("lock")
  private int failedRun = Integer.MAX_VALUE;

  @GuardedBy("lock")
  private @Nullable Throwable failure; // of the first run that failed

  /// Makes the pass. No thread is started here.
  ///
  /// @param purpose what for, as `count the rows that match`
  /// @param columns what is also decoded, so that it is kept
  public PassEpoch(
      String purpose, EpochInput rows, EpochResources means, List<ColumnPlan> columns) {
    List<ColumnGroup> all = ColumnGroup.of(columns, 1, DecodingWork.UNKNOWN);
    this.purpose = purpose;
    this.runs = rows.runs();
    this.isInline = means.workers() == 0;
    this.decoding = new Decoding(rows, all, means, 0, new Sinks());
  }

  /// Returns how many rows there are in the runs that were read to their end.
  public long rowsRead() {
    return rowsRead.get();
  }

  /// Returns how many bytes were read from storage.
  public long bytesRead() {
    return decoding.storesRead().values().stream().mapToLong(StoreReads::bytes).sum();
  }

  /// Leaves work to the thread that awaits the pass, so that it is this thread that fills the heap:
  /// a server knows which request it is of. To be called by workers; waits while much is left to
  /// do, but not once the pass is cancelled.
  public void hand(Runnable work) {
    lock.lock();
    try {
      while (!isInline && !cancelled && handed.size() >= HANDED_MAX) {
        WorkerWait.on(changed, "pass");
      }
      handed.add(work);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Waits until all rows are read, and does what workers hand over; without workers reads them.
  /// The wait has no time limit, because it is for the whole table: an interrupt or [#cancel] ends
  /// it.
  ///
  /// @throws Throwable what a worker met, of the first run that failed; or what handed work throws
  public void await() throws Throwable {
    Runnable work = next();
    while (work != null) {
      work.run();
      work = next();
    }
    Throwable met = failure();
    if (met != null) {
      throw met;
    }
  }

  /// Returns what was handed over; null at the end.
  private @Nullable Runnable next() throws TimedOut, InterruptedIOException {
    decoding.decodeUntil(this, this::isHanded);
    ConsumerWait wait = new ConsumerWait(Duration.ZERO);
    lock.lock();
    try {
      while (handed.isEmpty() && !ended && !cancelled) {
        wait.on(changed);
      }
      changed.signalAll(); // there is room
      return cancelled ? null : handed.poll();
    } catch (InterruptedException e) {
      throw ConsumerWait.interrupted("the pass that is to " + purpose, e);
    } finally {
      lock.unlock();
    }
  }

  private boolean isHanded() {
    lock.lock();
    try {
      return !handed.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Throwable failure() {
    lock.lock();
    try {
      return cancelled ? null : failure;
    } finally {
      lock.unlock();
    }
  }

  private void fail(int run, Throwable cause) {
    lock.lock();
    try {
      if (run < failedRun) {
        failedRun = run;
        failure = cause;
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isWanted(int run) {
    lock.lock();
    try {
      return !cancelled && run < failedRun;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void work(WorkerScratch scratch, int worker) {
    decoding.work(scratch, worker);
  }

  @Override
  public void fail(Throwable cause) {
    fail(-1, cause);
  }

  @Override
  public void cancel(String reason) {
    lock.lock();
    try {
      cancelled = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    decoding.cancel();
  }

  @Override
  public void discardReady() {}

  @Override
  public void discard() {
    decoding.close();
  }

  private final class Sinks implements RowSinks, RowSink {
    @Override
    public RowSink of(WorkerScratch scratch) {
      return this;
    }

    @Override
    public void workersEnded() {
      lock.lock();
      try {
        ended = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void fail(Throwable cause) {
      PassEpoch.this.fail(cause);
    }

    @Override
    public void counted(int run, long rows, int @Nullable [] batches, Runnable once) {
      rowsRead.addAndGet(runs.get(run).rowCount());
    }

    @Override
    public int room(DecodeUnit unit, long row) {
      return isWanted(unit.index()) ? Integer.MAX_VALUE : -1;
    }

    @Override
    public void fail(DecodeUnit unit, long row, Throwable cause) {
      PassEpoch.this.fail(unit.index(), cause);
    }
  }
}
