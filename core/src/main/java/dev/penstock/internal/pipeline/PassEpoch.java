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
import dev.penstock.internal.workers.ConsumerWait;
import dev.penstock.internal.workers.TimedOut;
import dev.penstock.internal.workers.WorkerTask;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// One pass over rows that only notes what is found out about them, as which of them match a
/// filter: nothing is delivered.
///
/// **Threads.** [#await] by one; [#cancel] from any.
public final class PassEpoch implements WorkerTask {
  private final Decoding decoding;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

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
  /// @param columns what is also decoded, so that it is kept
  public PassEpoch(EpochInput rows, EpochResources means, List<ColumnPlan> columns) {
    List<ColumnGroup> all = ColumnGroup.of(columns, 1, DecodingWork.UNKNOWN);
    this.decoding = new Decoding(rows, all, means, 0, new Sinks());
  }

  /// Waits until all rows are read; without workers reads them. The wait has no time limit, because
  /// it is for the whole table: an interrupt or [#cancel] ends it.
  ///
  /// @throws Throwable what a worker met, of the first run that failed
  public void await() throws Throwable {
    decoding.decodeUntil(this, () -> false);
    Throwable met = awaitEnd();
    if (met != null) {
      throw met;
    }
  }

  private @Nullable Throwable awaitEnd() throws TimedOut, InterruptedIOException {
    ConsumerWait wait = new ConsumerWait(Duration.ZERO);
    lock.lock();
    try {
      while (!ended && !cancelled) {
        wait.on(changed);
      }
      return cancelled ? null : failure;
    } catch (InterruptedException e) {
      throw ConsumerWait.interrupted("the rows that match", e);
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
    public int room(DecodeUnit unit, long row) {
      return isWanted(unit.index()) ? Integer.MAX_VALUE : -1;
    }

    @Override
    public void fail(DecodeUnit unit, long row, Throwable cause) {
      PassEpoch.this.fail(unit.index(), cause);
    }
  }
}
