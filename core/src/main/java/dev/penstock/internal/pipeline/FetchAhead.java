package dev.penstock.internal.pipeline;

import dev.penstock.format.ByteRange;
import dev.penstock.internal.clock.StageClock;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.memory.SlabPool;
import dev.penstock.internal.pipeline.FetchedRange.Attempt;
import dev.penstock.internal.plan.ColumnSource;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.Run;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.RowRange;
import dev.penstock.stats.Stage;
import dev.penstock.storage.FetchAdvice;
import dev.penstock.storage.Location;
import dev.penstock.storage.Storage;
import dev.penstock.storage.StorageFile;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Fetches what the runs of an epoch will read, before they read it, from stores behind a network.
///
/// Files of other stores are just opened. Which bytes come is a matter of speed only: what was not
/// foreseen is fetched when it is asked for.
///
/// **Threads.** A virtual thread for each request. [#open] and what it gives by any thread;
/// [#cancel] by any; [#close] when nobody reads any more.
final class FetchAhead implements AutoCloseable {
  /* Requests are made in the order in which workers take runs, as long as there are fewer than the
   * store advises and the bytes fetched and not read yet do not exceed a bound. What a worker waits
   * for is always asked for next, whatever the bound: so no worker can wait for bytes that wait for
   * room. Memory that is asked for beyond the bound is at most a range for each worker. So half of
   * the reserved memory is for what is ahead, a quarter for what workers wait for, and the rest for
   * slabs that are larger than their range. */

  /// What is reserved for fetched bytes, unless 3/8 of the loader's memory are less.
  private static final long BYTES_MAX = 256L << 20;

  /// Ranges are not cut finer than this to keep to the memory.
  private static final long RANGE_BYTES_MIN = 64 << 10;

  /// The first run is cut finer, to come over all connections at once, but not finer than this.
  private static final long FIRST_RANGE_BYTES_MIN = 1 << 20;

  private final List<RowRun> parts;
  private final List<ColumnGroup> groups;
  private final RowSteps steps;
  private final ReadCounter counter;
  private final MemoryMeter meter;
  private final long reserve;
  private final long aheadMax; // what may be fetched and not read yet
  private final long rangeMax;
  private final BatchMemory memory;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final IdentityHashMap<RowRun, FetchedFile> planned = new IdentityHashMap<>();
  private final IdentityHashMap<Storage, Optional<FetchAdvice>> advices = new IdentityHashMap<>();
  private final Queue<FetchedRange> urgent = new ArrayDeque<>();
  private final Deque<FetchedRange> waiting = new ArrayDeque<>();
  private final Set<RowRun> over = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<Attempt, Thread> running = new HashMap<>();
  private int nextPart;
  private int requests; // under way
  private int requestsMax = 1;
  private long held; // bytes of started ranges that are not given up
  private boolean first = true;
  private boolean reserved;
  private boolean cancelled;

  /// Makes it idle.
  ///
  /// @param runs the runs in the order in which they are taken
  /// @param groups the groups of columns that share each run
  /// @param steps what becomes of the rows
  /// @param counter counts what is read
  /// @param workers how many workers read at once
  /// @param meter has the limit of all memory
  FetchAhead(
      List<Run> runs,
      List<ColumnGroup> groups,
      RowSteps steps,
      ReadCounter counter,
      int workers,
      MemoryMeter meter) {
    this.parts = runs.stream().flatMap(run -> run.parts().stream()).toList();
    this.groups = groups;
    this.steps = steps;
    this.counter = counter;
    this.meter = meter;
    this.reserve = Math.min(BYTES_MAX, meter.limit() / 8 * 3);
    this.aheadMax = reserve / 2;
    this.rangeMax = Math.max(RANGE_BYTES_MIN, reserve / 4 / Math.max(1, workers));
    this.memory = new BatchMemory(new MemoryMeter(meter, Math.max(1, reserve)), 0);
  }

  /// Opens the file of a run for the columns of a group.
  ///
  /// @param row the first row that will be read
  /// @return the open file, to be closed by the caller
  StorageFile open(RowRun run, int group, long row) throws IOException {
    StorageFile opened = run.file().open();
    Optional<FetchAdvice> advice = opened.advice();
    if (advice.isEmpty()) {
      return counter.counting(opened);
    }
    lock.lock();
    try {
      if (!reserved) {
        reserved = true;
        meter.hold(reserve);
      }
      advices.put(run.file().storage(), advice);
      requestsMax = advice.get().concurrency();
      FetchedFile known = planned.get(run);
      if (known != null && known.awaits(group) && row == run.firstRow()) {
        opened.close();
        return new View(known, group);
      }
      // A reader that failed comes again, for itself and from another row.
      boolean alone = row != run.firstRow() || over.contains(run) || planned.containsKey(run);
      FetchedFile file = plan(run, opened, advice.get(), row, alone ? 1 : groups.size());
      if (!alone) {
        planned.put(run, file);
      }
      file.ranges().reversed().forEach(waiting::addFirst);
      pump();
      return new View(file, alone ? 0 : group);
    } finally {
      lock.unlock();
    }
  }

  private FetchedFile plan(
      RowRun run, StorageFile opened, FetchAdvice advice, long row, int readers) {
    RowRange rows = run.file().stored(row, run.endRow() - row);
    List<ByteRange> wanted =
        run.file()
            .format()
            .ranges(run.file().metadata(), stored(run), rows.offset(), rows.length());
    long range = Math.min(rangeMax, advice.rangeBytes());
    if (first) {
      first = false;
      long bytes = wanted.stream().mapToLong(ByteRange::length).sum();
      long part = Math.max(FIRST_RANGE_BYTES_MIN, Math.ceilDiv(bytes, advice.concurrency()));
      range = Math.min(part, range);
    }
    FetchAdvice finer =
        new FetchAdvice(advice.concurrency(), advice.gapBytes(), range, advice.hedgeAfter());
    return new FetchedFile(run, counter.counting(opened), wanted, finer, readers);
  }

  /// Returns the columns of the file that a run reads, for all groups.
  private Schema stored(RowRun run) {
    Map<String, Field> stored = new LinkedHashMap<>();
    Consumer<Field> add =
        field -> {
          if (run.file().columns().source(field)
              instanceof ColumnSource.Stored(var path, var type)) {
            stored.put(path, new Field(path, type, true));
          }
        };
    BlockTransform transform = steps.transform();
    if (transform != null) {
      transform.input().fields().forEach(add);
    } else if (steps.matches() == null) { // else only the filter's are read
      groups.forEach(group -> group.schema().fields().forEach(add));
    }
    for (String column : run.rest().columns()) {
      steps.table().find(column).ifPresent(add);
    }
    return Schema.of(List.copyOf(stored.values()));
  }

  /// Starts what may be started. Called with the lock held.
  private void pump() {
    while (!cancelled && requests < requestsMax) {
      FetchedRange next = next();
      if (next == null) {
        return;
      }
      start(next);
    }
  }

  private @Nullable FetchedRange next() {
    for (FetchedRange each = urgent.poll(); each != null; each = urgent.poll()) {
      if (!each.isStarted() && !each.isDropped()) {
        return each;
      }
    }
    while (true) {
      FetchedRange each = waiting.peek();
      if (each == null) {
        if (!planNext()) {
          return null;
        }
      } else if (each.isStarted() || each.isDropped()) {
        waiting.remove();
      } else if (held > 0 && held + each.range().length() > aheadMax) {
        return null;
      } else {
        return waiting.remove();
      }
    }
  }

  /// Plans the next run whose store is known to be behind a network.
  private boolean planNext() {
    while (nextPart < parts.size()) {
      RowRun run = parts.get(nextPart++);
      Optional<FetchAdvice> advice = advices.getOrDefault(run.file().storage(), Optional.empty());
      if (advice.isPresent() && !planned.containsKey(run) && !over.contains(run)) {
        try {
          FetchedFile file =
              plan(run, run.file().open(), advice.get(), run.firstRow(), groups.size());
          planned.put(run, file);
          waiting.addAll(file.ranges());
          return true;
        } catch (IOException | RuntimeException e) {
          // Its own reader meets it again, and tells it where it belongs.
        }
      }
    }
    return false;
  }

  private void start(FetchedRange range) {
    range.start();
    held += range.range().length();
    attempt(range, 0);
    range
        .file()
        .file()
        .advice()
        .flatMap(FetchAdvice::hedgeAfter)
        .ifPresent(after -> attempt(range, after.toNanos()));
  }

  /// Makes a request, if after a while there is still need for it.
  private void attempt(FetchedRange range, long delay) {
    Attempt attempt = new Attempt();
    range.add(attempt);
    if (delay == 0) {
      requests++;
    }
    Thread thread =
        Thread.ofVirtual()
            .name("penstock-fetch-" + range.range())
            .unstarted(() -> fetch(range, attempt, delay));
    attempt.runs(thread);
    running.put(attempt, thread);
    thread.start();
  }

  private void fetch(FetchedRange range, Attempt attempt, long delay) {
    Throwable failure = null;
    try {
      if (delay == 0 || isLate(range, delay)) {
        // On this thread, which is no worker's: so it waits for nobody's turn.
        SlabPool.Slab slab = memory.take(range.range().length());
        hold(attempt, slab);
        MemorySegment target = slab.segment().asSlice(0, range.range().length());
        range.file().file().read(range.range().offset(), target, bytes -> arrived(attempt, bytes));
      }
    } catch (Throwable e) {
      failure = e;
    }
    lock.lock();
    try {
      if (failure != null && delay == 0) {
        range.failed(failure);
      }
      range.end(attempt);
      if (delay == 0) {
        requests--;
      }
      running.remove(attempt);
      changed.signalAll();
      pump();
    } finally {
      lock.unlock();
    }
  }

  /// Waits, and returns whether the bytes are not there yet.
  private boolean isLate(FetchedRange range, long delay) throws InterruptedException {
    long left = delay;
    lock.lock();
    try {
      while (left > 0 && !range.isComplete() && !range.isDropped() && !cancelled) {
        left = changed.awaitNanos(left);
      }
      return !range.isComplete() && !range.isDropped() && !cancelled;
    } finally {
      lock.unlock();
    }
  }

  private void hold(Attempt attempt, SlabPool.Slab slab) {
    lock.lock();
    try {
      attempt.hold(slab);
    } finally {
      lock.unlock();
    }
  }

  private void arrived(Attempt attempt, long bytes) {
    lock.lock();
    try {
      attempt.arrived(bytes);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Copies fetched bytes.
  private void read(FetchedFile file, long offset, MemorySegment target) throws IOException {
    long done = 0;
    while (done < target.byteSize()) {
      done += readSome(file, offset + done, target.asSlice(done));
    }
  }

  private long readSome(FetchedFile file, long offset, MemorySegment target) throws IOException {
    FetchedRange range;
    Attempt attempt;
    long from;
    long count;
    lock.lock();
    try {
      Attempt found;
      do { // again where the range was given up meanwhile, for another reader's progress
        range = file.find(offset, target.byteSize());
        from = offset - range.range().offset();
        count = Math.min(target.byteSize(), range.range().length() - from);
        try {
          found = await(range, from + count);
        } catch (Throwable e) {
          forget(file, range);
          throw e;
        }
      } while (found == null);
      attempt = found;
      range.pin();
    } finally {
      lock.unlock();
    }
    MemorySegment.copy(attempt.memory(), from, target, 0, count);
    lock.lock();
    try {
      range.unpin();
      forget(file, range);
      held -= file.read(offset, count);
      changed.signalAll(); // who waits for a range that was given up now looks again
      pump();
    } finally {
      lock.unlock();
    }
    return count;
  }

  /// Gives up a range that nobody foresaw.
  private void forget(FetchedFile file, FetchedRange range) {
    if (!file.ranges().contains(range)) {
      range.drop();
      held -= range.isStarted() ? range.range().length() : 0;
    }
  }

  /// Waits for bytes; null when the range is given up.
  private @Nullable Attempt await(FetchedRange range, long bytes) throws IOException {
    if (!range.isStarted()) {
      urgent.add(range);
      pump();
    }
    while (true) {
      Attempt attempt = range.with(bytes);
      if (attempt != null || range.isDropped()) {
        return attempt;
      }
      Throwable failure = range.isStarted() ? range.failure() : null;
      if (failure != null) {
        throw thrown(failure);
      }
      if (cancelled) {
        throw new InterruptedIOException("The epoch was stopped.");
      }
      try {
        changed.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException) new InterruptedIOException("interrupted").initCause(e);
      }
    }
  }

  private static IOException thrown(Throwable failure) {
    return switch (failure) {
      case IOException e -> e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> new IOException(failure);
    };
  }

  /// Ends all requests; who waits for one gets an error.
  void cancel() {
    lock.lock();
    try {
      cancelled = true;
      running.values().forEach(Thread::interrupt);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Gives all memory back. To be called when nobody reads any more.
  @Override
  public void close() {
    cancel();
    List<Thread> ending;
    lock.lock();
    try {
      ending = new ArrayList<>(running.values());
    } finally {
      lock.unlock();
    }
    for (Thread thread : ending) {
      join(thread);
    }
    lock.lock();
    try {
      for (FetchedFile file : planned.values()) {
        file.ranges().stream().filter(range -> !range.isDropped()).forEach(FetchedRange::drop);
      }
      planned.clear();
      if (reserved) {
        reserved = false;
        meter.hold(-reserve);
      }
    } finally {
      lock.unlock();
    }
    memory.close();
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// A group's file, whose reads are copies of what was fetched.
  private final class View implements StorageFile {
    private final FetchedFile fetched;
    private final int group;

    View(FetchedFile fetched, int group) {
      this.fetched = fetched;
      this.group = group;
    }

    @Override
    public Location location() {
      return fetched.file().location();
    }

    @Override
    public long size() {
      return fetched.file().size();
    }

    @Override
    public String version() {
      return fetched.file().version();
    }

    @Override
    public void read(long offset, MemorySegment target) throws IOException {
      StageClock clock = StageClock.current();
      Stage before = clock.enter(Stage.FETCH);
      try {
        FetchAhead.this.read(fetched, offset, target);
      } finally {
        clock.enter(before);
      }
    }

    @Override
    public void close() throws IOException {
      lock.lock();
      try {
        held -= fetched.close(group);
        changed.signalAll();
        if (!fetched.isOver()) {
          return;
        }
        if (planned.remove(fetched.run(), fetched)) {
          over.add(fetched.run());
        }
        pump();
      } finally {
        lock.unlock();
      }
      fetched.file().close();
    }
  }
}
