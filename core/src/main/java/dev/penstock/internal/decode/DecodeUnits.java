package dev.penstock.internal.decode;

import dev.penstock.internal.columns.ColumnGroup;
import dev.penstock.internal.memory.MemoryTurn;
import dev.penstock.internal.plan.BatchTurns;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.workers.WorkerWait;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Deals the units of an epoch to its workers.
///
/// Units are taken in order: all groups of a run before the next run. Where a reader continues from
/// run to run, see [ReaderRuns], each worker instead keeps to one group: taking another worker's
/// unit would make both read earlier rows again. Workers that take turns each take their own runs.
/// Of some windows, those of one row group are one worker's, see [EpochInput#isOfOneWorker].
///
/// Workers above the number that decodes are parked: they get no unit and wait in [#take]. That
/// number may change at any time, because the order of rows does not depend on it. But it is never
/// below the number of groups, or the parts of a run would wait for each other; and it stays as it
/// is where workers keep to a group or take turns.
///
/// **Threads.** Safe for any.
final class DecodeUnits {
  private final List<Run> runs;
  private final List<ColumnGroup> groups;
  private final @Nullable BatchTurns turns;
  private final boolean keep;
  private final boolean isOfOneWorker;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final int[] next; // the next run to take, by group; by worker where workers take turns
  private final Map<Integer, Integer> own = new HashMap<>(); // by worker, its next own window
  private final Map<Integer, Integer> ownEnd = new HashMap<>(); // and the run after the last
  private int decoding; // how many workers decode
  private boolean released; // all may

  /// @param runs the rows in the order of the sequence; or of one worker after another
  /// @param turns how workers take turns; null where any may take any run
  /// @param keep whether each worker keeps to one group; then there are as many groups as workers
  ///   that decode
  /// @param isOfOneWorker whether one worker reads all windows of a row group; then there is one
  ///   group
  public DecodeUnits(
      List<Run> runs,
      List<ColumnGroup> groups,
      @Nullable BatchTurns turns,
      boolean keep,
      boolean isOfOneWorker,
      int decoding) {
    this.runs = runs;
    this.groups = groups;
    this.turns = turns;
    this.keep = keep;
    this.isOfOneWorker = isOfOneWorker;
    this.decoding = Math.max(decoding, groups.size());
    this.next =
        turns == null
            ? new int[groups.size()]
            : IntStream.range(0, turns.workers()).map(turns::firstRun).toArray();
  }

  /// Sets how many workers decode, as far as it can be changed, and returns how many do now. A
  /// worker above it is parked when it has finished its unit, and the other windows of its row
  /// group.
  public int decoding(int count) {
    lock.lock();
    try {
      if (!keep && turns == null && count != decoding) {
        decoding = Math.max(count, groups.size());
        changed.signalAll();
      }
      return decoding;
    } finally {
      lock.unlock();
    }
  }

  /// Lets all workers take units, for good: one has ended and leaves the rest to the others, or the
  /// epoch is cancelled.
  public void release() {
    lock.lock();
    try {
      released = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Takes the next unit of a worker; null when none is left. Waits while the worker is parked.
  ///
  /// @param turn its turn: while it is parked, all others come before it
  public @Nullable DecodeUnit take(int worker, MemoryTurn turn) {
    lock.lock();
    try {
      if (hasOwn(worker)) { // which nobody else would take
        return own(worker);
      }
      if (isParked(worker)) {
        turn.stepAside();
        while (isParked(worker)) {
          WorkerWait.on(changed, "work");
        }
        turn.stepBack();
      }
      return turns == null ? take(worker) : ownRun(worker, turns);
    } finally {
      lock.unlock();
    }
  }

  private boolean isParked(int worker) {
    return worker >= decoding && !released;
  }

  private @Nullable DecodeUnit ownRun(int worker, BatchTurns all) {
    int own = next[worker]++;
    return own == all.firstRun(worker + 1)
        ? null
        : new DecodeUnit(own, runs.get(own), groups.getFirst());
  }

  private @Nullable DecodeUnit take(int worker) {
    int group = worker % groups.size();
    for (int other = 0; other < next.length; other++) {
      if (!keep && next[other] < next[group]) {
        group = other;
      }
    }
    int run = next[group]++;
    if (run >= runs.size()) {
      return null;
    }
    if (isOfOneWorker) {
      while (runs.get(next[group] - 1).goesOn() && next[group] < runs.size()) {
        next[group]++;
      }
      own.put(worker, run);
      ownEnd.put(worker, next[group]);
      return own(worker);
    }
    return new DecodeUnit(run, runs.get(run), groups.get(group));
  }

  private boolean hasOwn(int worker) {
    return own.getOrDefault(worker, 0) < ownEnd.getOrDefault(worker, 0);
  }

  private DecodeUnit own(int worker) {
    int run = own.merge(worker, 1, Integer::sum) - 1;
    return new DecodeUnit(run, runs.get(run), groups.getFirst());
  }
}
