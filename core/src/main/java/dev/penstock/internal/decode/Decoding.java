package dev.penstock.internal.decode;

import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.cache.Piles;
import dev.penstock.internal.clock.StageClocks;
import dev.penstock.internal.columns.ColumnGroup;
import dev.penstock.internal.fetch.ReadCounter;
import dev.penstock.internal.memory.MemoryTurn;
import dev.penstock.internal.memory.MemoryTurns;
import dev.penstock.internal.memory.WorkerScratch;
import dev.penstock.internal.workers.WorkerTask;
import dev.penstock.internal.workers.WorkerWait;
import dev.penstock.stats.Stage;
import dev.penstock.stats.StoreReads;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Decodes an epoch: the workers together pass the rows of all runs to their sinks.
///
/// With workers, each calls [#work]; without, the consumer calls [#decodeUntil] as often as it
/// needs rows.
///
/// **Threads.** [#decodeUntil] by one consumer; [#cancel] by any; [#close] after all workers have
/// stopped.
public final class Decoding implements AutoCloseable {
  /// The most rows decoded at once: large enough to spread the cost of a call, small enough for the
  /// decoded columns to stay in the second-level cache.
  public static final int SLICE_ROWS_MAX = 8192;

  private final RowSteps steps;
  private final DecodeUnits units;
  private final ReadCounter counter = new ReadCounter();
  private final SkipCounter skips = new SkipCounter();
  private final FetchAhead fetches;
  private final MemoryTurns memoryTurns;
  private final EpochResources means;
  private final RowSinks sinks;
  private final StageClocks clocks;
  private final long stagedBytesMax; // of each worker
  private final AtomicInteger atWork; // workers that have not ended
  private final Set<CacheFolder> caches;
  private final @Nullable Piles piles; // closed with this
  private final @Nullable RunDecoder inline;
  private final @Nullable MemoryTurn inlineTurn;

  /// Prepares to decode. Starts no thread.
  ///
  /// @param batchBytes the memory of one batch, as the consumer receives it
  public Decoding(
      EpochInput rows,
      List<ColumnGroup> groups,
      EpochResources means,
      long batchBytes,
      RowSinks sinks) {
    int workers = means.workers();
    int atOnce = Math.max(1, workers);
    ReaderRuns readers = rows.readers(groups.size(), means.decoding());
    this.steps = rows.steps();
    this.units =
        new DecodeUnits(
            rows.runs(),
            groups,
            rows.turns(),
            readers.goOn(),
            rows.isOfOneWorker(),
            Math.max(1, means.decoding()));
    this.fetches = new FetchAhead(readers, groups, steps, counter, means);
    this.memoryTurns =
        new MemoryTurns(
            means.meter(), batchBytes, EpochResources.READER_BYTES, atOnce, new InSinks());
    this.means = means;
    this.sinks = sinks;
    this.clocks = new StageClocks(workers, System::nanoTime, means.clocked());
    decoding(means.decoding());
    this.stagedBytesMax = means.meter().limit() / 4 / atOnce;
    this.atWork = new AtomicInteger(workers);
    this.caches = rows.caches();
    this.piles = rows.piles();
    WorkerScratch scratch = workers == 0 ? means.pool().consumerScratch() : null;
    this.inlineTurn = scratch == null ? null : memoryTurns.of(scratch, 0);
    this.inline = scratch == null || inlineTurn == null ? null : decoder(scratch, 0, inlineTurn);
    caches.forEach(CacheFolder::begin); // last: whatever fails before leaves nothing mapped
  }

  private final class InSinks implements MemoryTurns.Elsewhere {
    @Override
    public void await(Condition condition) {
      WorkerWait.on(condition, "memory");
    }

    @Override
    public void wake() {
      sinks.wake();
    }

    @Override
    public long bytesOfNext() {
      return sinks.bytesOfNext();
    }

    @Override
    public boolean isConsumersTurn() {
      return inline == null && sinks.isReady();
    }
  }

  private RunDecoder decoder(WorkerScratch scratch, int worker, MemoryTurn turn) {
    RunSource source = new RunSource(steps, worker, fetches, skips, scratch);
    EarlyRows staged = new EarlyRows(scratch, stagedBytesMax, sinks.isTraced());
    boolean isInline = means.workers() == 0;
    return new RunDecoder(
        () -> units.take(worker, turn), source, staged, turn, sinks.of(scratch), isInline);
  }

  /// Decodes a worker's whole part: until no unit is left or the epoch ends.
  public void work(WorkerScratch scratch, int worker) {
    MemoryTurn turn = memoryTurns.of(scratch, worker);
    try {
      turn.run(() -> clocks.of(worker).run(Stage.BATCH, () -> decodeAll(scratch, worker, turn)));
    } finally {
      turn.end();
      units.release();
      if (atWork.decrementAndGet() == 0) {
        sinks.workersEnded();
      }
    }
  }

  private void decodeAll(WorkerScratch scratch, int worker, MemoryTurn turn) {
    try {
      try (RunDecoder decoder = decoder(scratch, worker, turn)) {
        while (decoder.step()) {
          // One slice at a time; the sink says when to wait and when to stop.
        }
      } // Now it holds no memory and is before nobody: the sink may wait for others' rows.
      sinks.finish();
    } catch (Throwable e) {
      // A step reports its own failures; this one kept a worker from starting or ending.
      sinks.fail(e);
    }
  }

  /// Decodes on the calling thread when there are no workers, slice by slice, until there is enough
  /// or no unit is left. An interrupt ends it earlier; the next call goes on.
  public void decodeUntil(WorkerTask task, BooleanSupplier enough) {
    RunDecoder decoder = inline;
    MemoryTurn turn = inlineTurn;
    if (decoder != null && turn != null && !enough.getAsBoolean()) {
      means
          .pool()
          .here(
              task,
              () -> {
                turn.run(() -> clocks.of(0).run(Stage.BATCH, () -> decodeUntil(enough, decoder)));
                return decoder;
              });
    }
  }

  private void decodeUntil(BooleanSupplier enough, RunDecoder decoder) {
    // Less than a slice may be enough: the rest of the slice waits for the next call.
    while (!enough.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
      if (!decoder.step()) {
        sinks.workersEnded();
        return;
      }
    }
  }

  /// Sets how many workers decode, as far as it can be changed within an epoch, see [DecodeUnits].
  public void decoding(int count) {
    clocks.decoding(units.decoding(count));
  }

  /// Wakes workers that wait for memory, so that they check again.
  public void wake() {
    memoryTurns.wake();
  }

  /// Wakes all workers that wait for memory or bytes or are parked, so that they end.
  public void cancel() {
    units.release();
    memoryTurns.cancel();
    fetches.cancel();
  }

  /// Gives all memory back. Call it after all workers have stopped.
  @Override
  public void close() {
    if (inline != null) {
      inline.close();
    }
    fetches.close();
    caches.forEach(CacheFolder::end);
    if (piles != null) {
      piles.close();
    }
  }

  public StageClocks clocks() {
    return clocks;
  }

  public SortedMap<String, StoreReads> storesRead() {
    return counter.stores();
  }

  public long bytesCached() {
    return clocks.cached();
  }

  public SkipCounter skips() {
    return skips;
  }
}
