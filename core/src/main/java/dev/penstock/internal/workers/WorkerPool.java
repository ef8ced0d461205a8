package dev.penstock.internal.workers;

import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.memory.WorkerScratch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The threads of one loader, kept from epoch to epoch, and the epoch that they work on.
///
/// Platform threads, because decoding is computation. They are daemons, so that a program that
/// forgets to close its loader can still end. When the consumer decodes itself, or calls the user's
/// sampler, it counts as a running worker, see [#here].
///
/// Ending a task waits for its running threads, which may be in users' code that does not return.
/// So it waits at most 6 seconds, and interrupts the workers after half of that, or at once if the
/// waiting thread is interrupted. A thread that is still running then is left behind with a
/// warning; the last one to return frees the rest of the epoch. If users' code in a worker ends the
/// task, it does not wait at all.
///
/// **Threads.** Safe for any. No lock is held while users' code runs.
public final class WorkerPool implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(6);
  private static final int TELL_TIMES = 200;
  private static final long TELL_PAUSE_NANOS = Duration.ofMillis(50).toNanos();
  private static final long AGAIN = Duration.ofMillis(50).toNanos();

  private final int count;
  private final MemoryMeter meter;
  private final ThreadFactory factory;
  private final Duration grace;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private @Nullable Crew crew;
  private @Nullable Shift current;
  private volatile boolean closed; // written with the lock

  /// Makes a pool. Threads are started with the first task.
  ///
  /// @param count how many threads; 0 if the consumer does the work
  /// @param meter counts their working memory
  public WorkerPool(int count, MemoryMeter meter) {
    this(count, meter, Thread.ofPlatform().factory(), GRACE);
  }

  /// Makes a pool with its own threads.
  ///
  /// @param grace how long ending a task waits
  WorkerPool(int count, MemoryMeter meter, ThreadFactory factory, Duration grace) {
    this.count = count;
    this.meter = meter;
    this.factory = factory;
    this.grace = grace;
  }

  /// The threads, which work on each task together, and the memory of a consumer that works in
  /// their place.
  private final class Crew {
    private final WorkerScratch consumerScratch = new WorkerScratch(meter);

    // Guarded by the lock.
    private final List<Thread> threads = new ArrayList<>();
    private @Nullable Shift shift; // while any thread works on it
    private long turn;
    private boolean dismissed;

    /// Starts the threads, once. Called with the lock held.
    private void start() {
      while (threads.size() < count) {
        int worker = threads.size();
        Thread thread = factory.newThread(() -> workerLoop(worker));
        thread.setName("penstock-worker-" + worker);
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
      }
    }

    private void workerLoop(int worker) {
      try (WorkerScratch scratch = new WorkerScratch(meter)) {
        long lastTurn = 0;
        while (take(scratch, worker, lastTurn)) {
          lastTurn++;
        }
      }
    }

    /// Does a worker's part of the next task; returns false if there is none.
    private boolean take(WorkerScratch scratch, int worker, long lastTurn) {
      Shift mine = await(lastTurn);
      if (mine == null) {
        return false;
      }
      try {
        mine.task.work(scratch, worker);
      } catch (Throwable e) {
        tell(mine.task, e);
      } finally {
        leave(mine);
        Thread.interrupted(); // an interrupt was meant for this task
      }
      return true;
    }

    /// Tells a task its failure, also where the heap has no room for that yet: whoever waits for
    /// the task would wait for ever.
    private void tell(WorkerTask task, Throwable failure) {
      for (int left = TELL_TIMES; ; left--) {
        try {
          task.fail(failure);
          return;
        } catch (OutOfMemoryError e) {
          if (left == 0) {
            throw e;
          }
          LockSupport.parkNanos(TELL_PAUSE_NANOS);
        }
      }
    }

    private @Nullable Shift await(long lastTurn) {
      lock.lock();
      try {
        while (!dismissed && turn == lastTurn) {
          changed.awaitUninterruptibly();
        }
        return turn == lastTurn ? null : shift;
      } finally {
        lock.unlock();
      }
    }

    /// Records that no thread is working any more. Called with the lock held.
    private void rest() {
      shift = null;
      if (dismissed) {
        consumerScratch.close();
      }
    }

    /// Makes the threads end when they finish their task. Called with the lock held.
    private void dismiss() {
      dismissed = true;
      if (shift == null) {
        consumerScratch.close();
      }
      changed.signalAll();
    }
  }

  /// A task, and the threads working on it.
  private static final class Shift {
    private final WorkerTask task;
    private final Crew crew;

    // Guarded by the lock.
    private final Set<Thread> atWork = new HashSet<>();
    private boolean ended;
    private boolean leftBehind; // the last thread to leave frees it
    private boolean claimed; // a thread is freeing it
    private boolean freed;

    private Shift(WorkerTask task, Crew crew) {
      this.task = task;
      this.crew = crew;
    }
  }

  /// Checks that a task may be started.
  ///
  /// @throws IllegalStateException if the pool is closed, or called by one of its own workers
  public void requireReady() {
    lock.lock();
    try {
      requireOpen();
      if (current != null && current.atWork.contains(Thread.currentThread())) {
        throw new IllegalStateException(
            "Cannot start an epoch of this loader in code that its own worker runs. Make another"
                + " loader there.");
      }
    } finally {
      lock.unlock();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("Cannot use this loader: it is closed. Make a new one.");
    }
  }

  /// Returns whether this is closed; never waits.
  ///
  /// @return true as soon as [#close()] was called
  public boolean isClosed() {
    return closed;
  }

  /// Returns whether there are threads that were started and not dismissed.
  ///
  /// @return false without workers
  public boolean hasThreads() {
    lock.lock();
    try {
      return crew != null && !crew.dismissed && !crew.threads.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /// Returns the working memory of a consumer that does the work itself.
  ///
  /// @return the same memory until a thread is left behind with it
  public WorkerScratch consumerScratch() {
    lock.lock();
    try {
      requireOpen();
      return crew().consumerScratch;
    } finally {
      lock.unlock();
    }
  }

  private Crew crew() {
    Crew all = crew;
    if (all == null) {
      all = new Crew();
      crew = all;
    }
    return all;
  }

  /// Gives a task to all workers. Discards it if it cannot be started.
  ///
  /// @param task the task
  /// @throws IllegalStateException if the pool is closed, or another task was not ended
  /// @throws OutOfMemoryError if the system refuses threads; then none is left running
  public void start(WorkerTask task) {
    boolean started = false;
    try {
      begin(task);
      started = true;
    } finally {
      if (!started) {
        task.cancel("it was not started");
        task.discard();
      }
    }
  }

  private void begin(WorkerTask task) {
    Crew all;
    OutOfMemoryError refused;
    lock.lock();
    try {
      requireOpen();
      if (current != null) {
        throw new IllegalStateException(
            "Cannot start an epoch: another thread started one at the same time.");
      }
      all = crew();
      try {
        all.start();
        Shift shift = new Shift(task, all);
        shift.atWork.addAll(all.threads);
        current = shift;
        all.shift = shift.atWork.isEmpty() ? null : shift;
        all.turn++;
        changed.signalAll();
        return;
      } catch (OutOfMemoryError e) {
        refused = refused(all.threads.size(), e);
        all.dismiss();
        crew = null;
      }
    } finally {
      lock.unlock();
    }
    join(all.threads);
    throw refused;
  }

  private OutOfMemoryError refused(int started, OutOfMemoryError cause) {
    OutOfMemoryError told =
        new OutOfMemoryError(
            "Cannot start worker "
                + (started + 1)
                + " of "
                + count
                + ": the system gives no more threads ("
                + cause.getMessage()
                + "). Use fewer workers, or raise the limits on threads and memory.");
    told.initCause(cause);
    return told;
  }

  /// Runs work for a task on the consumer's thread, which counts as working on it meanwhile. The
  /// work itself has to check whether the task was ended before.
  ///
  /// @param <R> the result of the work
  /// @param <X> the exceptions of the work
  /// @param task the task
  /// @param work the work
  /// @return its result
  /// @throws X if the work throws it
  /// @throws IllegalStateException if the thread is already working on the task
  public <R extends @Nullable Object, X extends Throwable> R here(
      WorkerTask task, ScopedValue.CallableOp<R, X> work) throws X {
    Shift shift = enter(task);
    try {
      return work.call();
    } finally {
      if (shift != null) {
        leave(shift);
      }
    }
  }

  private @Nullable Shift enter(WorkerTask task) {
    lock.lock();
    try {
      Shift shift = current;
      if (shift == null || !shift.task.equals(task) || shift.ended) {
        return null;
      }
      if (!shift.atWork.add(Thread.currentThread())) {
        throw new IllegalStateException("Cannot ask for a batch in code that makes one.");
      }
      shift.crew.shift = shift;
      return shift;
    } finally {
      lock.unlock();
    }
  }

  private void leave(Shift shift) {
    lock.lock();
    try {
      shift.atWork.remove(Thread.currentThread());
      changed.signalAll();
      if (!shift.atWork.isEmpty()) {
        return;
      }
      if (!shift.leftBehind || shift.claimed) {
        shift.crew.rest();
        return;
      }
      shift.claimed = true;
    } finally {
      lock.unlock();
    }
    free(shift);
    lock.lock();
    try {
      shift.crew.rest();
    } finally {
      lock.unlock();
    }
  }

  /// Frees a claimed task. Called without the lock, because users' code closes what it made.
  private void free(Shift shift) {
    try {
      shift.task.discard();
    } catch (Throwable e) {
      UserCode.warn(WorkerPool.class, "Cannot free what is left of an epoch", e);
    } finally {
      lock.lock();
      try {
        shift.freed = true;
        forget(shift);
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private void forget(Shift shift) {
    if (current == shift) {
      current = null;
    }
  }

  /// Ends the current task, if there is one.
  ///
  /// @param reason why, as the end of a sentence
  public void end(String reason) {
    Shift shift = current();
    if (shift != null) {
      end(shift, reason);
    }
  }

  /// Ends a task, if it is the current one.
  ///
  /// @param task the task
  /// @param reason why, as the end of a sentence
  public void end(WorkerTask task, String reason) {
    Shift shift = current();
    if (shift != null && shift.task.equals(task)) {
      end(shift, reason);
    }
  }

  private @Nullable Shift current() {
    lock.lock();
    try {
      return current;
    } finally {
      lock.unlock();
    }
  }

  private void end(Shift shift, String reason) {
    shift.task.cancel(reason);
    boolean mine = false;
    boolean isWithin;
    Set<Thread> stuck = Set.of();
    lock.lock();
    try {
      shift.ended = true;
      isWithin = shift.atWork.contains(Thread.currentThread());
      if (isWithin) {
        shift.leftBehind = true;
      } else if (awaitEnd(shift)) {
        mine = !shift.claimed;
        shift.claimed = true;
      } else {
        stuck = Set.copyOf(shift.atWork);
        shift.leftBehind = true;
        forget(shift);
        dismissCrewOf(shift);
      }
    } finally {
      lock.unlock();
    }
    if (mine) {
      free(shift);
      return;
    }
    shift.task.discardReady();
    for (Thread thread : stuck) {
      UserCode.warn(
          WorkerPool.class,
          "{} is still in users' code {} after its epoch ended, at {}. It is left behind, with the"
              + " memory that it uses, and ends when that code returns.",
          thread.getName(),
          grace,
          UserCode.place(thread.getStackTrace()));
    }
  }

  private void dismissCrewOf(Shift shift) {
    shift.crew.dismiss();
    if (crew == shift.crew) {
      crew = null;
    }
  }

  /// Waits until no thread works on the task, and, if a thread is freeing it, until it is freed,
  /// but no longer than the grace period. Returns whether all threads have stopped.
  private boolean awaitEnd(Shift shift) {
    long start = System.nanoTime();
    boolean hurried = false;
    boolean interrupted = false;
    while (!shift.atWork.isEmpty() || (shift.claimed && !shift.freed)) {
      long passed = System.nanoTime() - start;
      if (passed >= grace.toNanos()) {
        break;
      }
      hurried |= passed >= grace.toNanos() / 2;
      if (hurried) { // repeated: code may swallow one interrupt and wait again
        shift.crew.threads.stream().filter(shift.atWork::contains).forEach(Thread::interrupt);
      }
      long most = hurried ? grace.toNanos() : grace.toNanos() / 2;
      try {
        long left = changed.awaitNanos(Math.min(most - passed, hurried ? AGAIN : most));
        assert left <= most;
      } catch (InterruptedException _) {
        interrupted = true;
        hurried = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return shift.atWork.isEmpty();
  }

  /// Ends the current task and the threads, and waits for them within the limits of [#end].
  @Override
  public void close() {
    Crew all;
    lock.lock();
    try {
      closed = true;
      all = crew;
    } finally {
      lock.unlock();
    }
    try {
      end("the loader is closed");
    } finally {
      dismiss(all);
    }
  }

  private void dismiss(@Nullable Crew all) {
    if (all == null) {
      return;
    }
    boolean isWithin;
    lock.lock();
    try {
      isWithin = all.shift != null; // a worker calls this, or one is left behind
      if (!all.dismissed) {
        all.dismiss();
      }
    } finally {
      lock.unlock();
    }
    if (!isWithin) {
      join(all.threads);
    }
  }

  /// Waits for threads that have no task left.
  private void join(List<Thread> ending) {
    boolean interrupted = false;
    for (Thread thread : ending) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
