package dev.penstock.internal.fetch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.internal.clock.StageClock;
import dev.penstock.internal.fetch.FetchedRange.Attempt;
import dev.penstock.internal.memory.BatchMemory;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.memory.SlabPool;
import dev.penstock.spi.format.AheadFile;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.stats.Stage;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Requests bytes of remote files before they are read, and holds the bytes until then.
///
/// The caller decides what is requested, and in which order: [#add], [Source] and
/// [AheadFile#expect].
///
/// **Threads.** A thread for each request, virtual ones by [#VIRTUAL]. Safe for any; [#close] after
/// all readers have stopped.
public final class Fetches implements AutoCloseable {
  /* There are as many requests at once as the store advises, and the bytes fetched but not yet read
   * stay within a bound. A range that a reader waits for is requested next, whatever the bound, so
   * no reader can wait for bytes that wait for room. At most one range per reader exceeds the
   * bound. */

  /// Supplies files to fetch when nothing else is left to request.
  public interface Source {
    /// Plans a file, with the lock held; returns null when there is none for now.
    @Nullable FetchedFile next();
  }

  public interface Starter {
    /// Starts a thread that runs `body`. Returns an action that interrupts the thread, for when
    /// nobody wants its bytes any more.
    Runnable start(String name, Runnable body);
  }

  /// How bytes that were not foreseen are read.
  public enum Unforeseen {
    /// They are requested and counted like the others.
    FETCHED,
    /// Their reader reads them itself. Readers hold nothing that others wait for, so a reader that
    /// has not begun waits for its turn.
    READ
  }

  public static final Starter VIRTUAL =
      (name, body) -> Thread.ofVirtual().name(name).start(body)::interrupt;

  private final ReentrantLock lock;
  private final Condition changed;
  private final long aheadMax;
  private final Unforeseen unforeseen;
  private final Source source;
  private final Starter starter;
  private final BatchMemory memory;

  @GuardedBy("lock")
  private final Queue<FetchedRange> urgent = new ArrayDeque<>();

  @GuardedBy("lock")
  private final Deque<FetchedRange> waiting = new ArrayDeque<>();

  @GuardedBy("lock")
  private final List<Attempt> running = new ArrayList<>();

  @GuardedBy("lock")
  private int requests; // under way

  @GuardedBy("lock")
  private int requestsMax = 1;

  @GuardedBy("lock")
  private long held; // bytes of started ranges that are not dropped

  @GuardedBy("lock")
  private boolean cancelled;

  /// Starts idle.
  ///
  /// @param lock guards this and what it fetches
  /// @param aheadMax how many bytes may be fetched and not read yet
  public Fetches(
      ReentrantLock lock,
      MemoryMeter meter,
      long aheadMax,
      Unforeseen unforeseen,
      Source source,
      Starter starter) {
    this.lock = lock;
    this.changed = lock.newCondition();
    this.memory = new BatchMemory(meter, 0);
    this.aheadMax = aheadMax;
    this.unforeseen = unforeseen;
    this.source = source;
    this.starter = starter;
  }

  public void add(FetchedFile file) {
    lock.lock();
    try {
      requestsMax = file.advice().concurrency();
      addFirst(file.ranges());
    } finally {
      lock.unlock();
    }
  }

  /// Asks the source again, which had nothing for a while.
  public void resume() {
    lock.lock();
    try {
      pump();
    } finally {
      lock.unlock();
    }
  }

  /// Returns a view of a file, whose reads are copies of what was fetched. The caller closes it;
  /// the last view that is closed closes the file.
  public AheadFile view(FetchedFile file, int reader) {
    lock.lock();
    try {
      file.open(reader);
      return new View(file, reader);
    } finally {
      lock.unlock();
    }
  }

  /// Requests next the ranges of a reader that starts again on a file, which others may be reading.
  public void rejoin(FetchedFile file, int reader, List<ByteRange> wanted) {
    lock.lock();
    try {
      held -= file.forget(reader);
      file.want(reader, wanted);
      addFirst(file.fetch(wanted));
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void addFirst(List<FetchedRange> ranges) {
    ranges.reversed().forEach(waiting::addFirst);
    pump();
  }

  @GuardedBy("lock")
  private void pump() {
    while (!cancelled && requests < requestsMax) {
      FetchedRange next = next();
      if (next == null) {
        return;
      }
      start(next);
    }
  }

  @GuardedBy("lock")
  private @Nullable FetchedRange next() {
    for (FetchedRange each = urgent.poll(); each != null; each = urgent.poll()) {
      if (!each.isStarted() && !each.isDropped()) {
        return each;
      }
    }
    while (true) {
      FetchedRange each = waiting.peek();
      if (each == null) {
        FetchedFile more = source.next();
        if (more == null) {
          return null;
        }
        waiting.addAll(more.ranges());
      } else if (each.isStarted() || each.isDropped()) {
        waiting.remove();
      } else if (held > 0 && held + each.range().length() > aheadMax) {
        return null;
      } else {
        return waiting.remove();
      }
    }
  }

  @GuardedBy("lock")
  private void start(FetchedRange range) {
    range.start();
    held += range.range().length();
    attempt(range, 0);
    range.file().advice().hedgeAfter().ifPresent(after -> attempt(range, after.toNanos()));
  }

  /// Makes a request, after a delay and only if it is still needed then.
  @GuardedBy("lock")
  private void attempt(FetchedRange range, long delay) {
    Attempt attempt = new Attempt();
    range.add(attempt);
    if (delay == 0) {
      requests++;
    }
    running.add(attempt);
    attempt.runs(
        starter.start("penstock-fetch-" + range.range(), () -> fetch(range, attempt, delay)));
  }

  private void fetch(FetchedRange range, Attempt attempt, long delay) {
    Throwable failure = null;
    try {
      if (delay == 0 || isLate(range, delay)) {
        // This is not a worker's thread, so it does not wait for its turn for memory.
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

  /// Waits, and returns whether the bytes are still missing.
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

  private void read(FetchedFile file, int reader, long offset, MemorySegment target)
      throws IOException {
    long done = 0;
    while (done < target.byteSize()) {
      MemorySegment rest = target.asSlice(done);
      if (unforeseen == Unforeseen.READ && !isForeseen(file, offset + done)) {
        file.file().read(offset + done, rest);
        return;
      }
      done += readSome(file, reader, offset + done, rest);
    }
  }

  private boolean isForeseen(FetchedFile file, long offset) {
    lock.lock();
    try {
      return file.find(offset) != null;
    } finally {
      lock.unlock();
    }
  }

  private long readSome(FetchedFile file, int reader, long offset, MemorySegment target)
      throws IOException {
    FetchedRange range;
    Attempt attempt;
    long from;
    long count;
    lock.lock();
    try {
      Attempt found;
      do { // again if the range was dropped meanwhile, because of another reader's progress
        FetchedRange foreseen = file.find(offset);
        range =
            foreseen == null
                ? new FetchedRange(file, new ByteRange(offset, target.byteSize()))
                : foreseen;
        from = offset - range.range().offset();
        count = Math.min(target.byteSize(), range.range().length() - from);
        try {
          found = await(range, from + count, foreseen == null);
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
      held -= file.read(reader, offset, count);
      changed.signalAll(); // readers that wait for a range dropped just now check again
      pump();
    } finally {
      lock.unlock();
    }
    return count;
  }

  @GuardedBy("lock")
  private void forget(FetchedFile file, FetchedRange range) {
    if (!file.has(range)) {
      range.drop();
      held -= range.isStarted() ? range.range().length() : 0;
    }
  }

  /// Waits for bytes; returns null if the range is dropped. `isAlone` says that the range was not
  /// foreseen, so that nothing else will request it.
  @GuardedBy("lock")
  private @Nullable Attempt await(FetchedRange range, long bytes, boolean isAlone)
      throws IOException {
    boolean asked = false;
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
      boolean mayAsk = unforeseen == Unforeseen.FETCHED || isAlone || range.file().isBegun();
      if (!asked && !range.isStarted() && mayAsk) {
        asked = true;
        urgent.add(range);
        pump();
        continue;
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

  /// Ends all requests; readers that wait for one get an error.
  public void cancel() {
    lock.lock();
    try {
      cancelled = true;
      running.forEach(Attempt::interrupt);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Waits until all requests have ended and gives their memory back. Call it after all readers
  /// have stopped and all files were closed.
  @Override
  public void close() {
    cancel();
    lock.lock();
    try {
      while (!running.isEmpty()) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
    memory.close();
  }

  private final class View implements AheadFile {
    private final FetchedFile fetched;
    private final int reader;

    View(FetchedFile fetched, int reader) {
      this.fetched = fetched;
      this.reader = reader;
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
    public Optional<FetchAdvice> advice() {
      return Optional.of(fetched.advice());
    }

    @Override
    public void expect(List<ByteRange> ranges) {
      lock.lock();
      try {
        fetched.want(reader, ranges);
        List<FetchedRange> added = fetched.fetch(ranges);
        requestsMax = fetched.advice().concurrency();
        if (unforeseen == Unforeseen.READ) {
          waiting.addAll(added);
          pump();
        } else {
          addFirst(added);
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public long read(long offset, MemorySegment target) throws IOException {
      StageClock clock = StageClock.current();
      Stage before = clock.enter(Stage.FETCH);
      try {
        Fetches.this.read(fetched, reader, offset, target);
        return target.byteSize();
      } finally {
        clock.enter(before);
      }
    }

    @Override
    public void close() throws IOException {
      lock.lock();
      try {
        held -= fetched.close(reader);
        changed.signalAll();
        pump();
        if (!fetched.isOver()) {
          return;
        }
      } finally {
        lock.unlock();
      }
      fetched.file().close();
    }
  }
}
