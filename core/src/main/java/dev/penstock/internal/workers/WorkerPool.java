package dev.penstock.internal.workers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.memory.WorkerScratch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
/// sampler, it counts as a running worker, see [#here]; so does a thread that helps, see [#help].
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

  private final int count;
  private final MemoryMeter meter;
  private final ThreadFactory factory;
  private final Duration grace;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  @GuardedBy("lock")
  private @Nullable WorkerThreads group;

  @GuardedBy("lock")
  private @Nullable EpochWork current;

  private volatile boolean closed; // written with the lock

  /// Makes a pool. Threads are started with the first task.
  ///
  /// @param count how many threads; 0 if the consumer does the work
  public WorkerPool(int count, MemoryMeter meter) {
    this(count, meter, Thread.ofPlatform().factory(), GRACE);
  }

  /// @param grace how long ending a task waits
  WorkerPool(int count, MemoryMeter meter, ThreadFactory factory, Duration grace) {
    this.count = count;
    this.meter = meter;
    this.factory = factory;
    this.grace = grace;
  }

  /// The threads, which work on each task together, and the memory of a consumer that works in
  /// their place.
  final class WorkerThreads {
    private final WorkerScratch consumerScratch = new WorkerScratch(meter);

    // Under the pool's lock.
    private final List<Thread> threads = new ArrayList<>();
    private @Nullable EpochWork work; // while any thread works on it
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

    private boolean take(WorkerScratch scratch, int worker, long lastTurn) {
      EpochWork mine = await(lastTurn);
      if (mine == null) {
        return false;
      }
      try (WorkerScope scope = new WorkerScope(Map.of())) {
        scope.call(() -> {
          mine.task.work(scratch, worker);
          return mine;
        });
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

    private @Nullable EpochWork await(long lastTurn) {
      lock.lock();
      try {
        while (!dismissed && turn == lastTurn) {
          changed.awaitUninterruptibly();
        }
        return turn == lastTurn ? null : work;
      } finally {
        lock.unlock();
      }
    }

    /// Records that no thread is working any more. Called with the lock held.
    private void rest() {
      work = null;
      if (dismissed) {
        consumerScratch.close();
      }
    }

    /// Makes the threads end when they finish their task. Called with the lock held.
    private void dismiss() {
      dismissed = true;
      if (work == null) {
        consumerScratch.close();
      }
      changed.signalAll();
    }
  }

  /// Checks that a task may be started.
  ///
  /// @throws IllegalStateException if the pool is closed, or called by one of its own workers
  public void requireReady() {
    lock.lock();
    try {
      requireOpen();
      requireOutside();
    } finally {
      lock.unlock();
    }
  }

  /// Checks that the caller is not code of the user that a task of this runs.
  ///
  /// @throws IllegalStateException if it is
  public void requireOutside() {
    lock.lock();
    try {
      if (current != null && current.isWithin()) {
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

  public boolean isClosed() {
    return closed;
  }

  /// Returns whether there are threads that were started and not dismissed.
  public boolean hasThreads() {
    lock.lock();
    try {
      return group != null && !group.dismissed && !group.threads.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /// Returns the working memory of a consumer that does the work itself: the same until a thread is
  /// left behind with it.
  public WorkerScratch consumerScratch() {
    lock.lock();
    try {
      requireOpen();
      return group().consumerScratch;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private WorkerThreads group() {
    WorkerThreads all = group;
    if (all == null) {
      all = new WorkerThreads();
      group = all;
    }
    return all;
  }

  /// Gives a task to all workers. Discards it if it cannot be started.
  ///
  /// @throws IllegalStateException if the pool is closed, or another task was not ended
  /// @throws OutOfMemoryError if the system refuses threads; then none is left running
  public void start(WorkerTask task) {
    try {
      begin(task);
    } catch (Throwable e) {
      task.cancel("it was not started");
      task.discard();
      throw e;
    }
  }

  private void begin(WorkerTask task) {
    WorkerThreads all;
    OutOfMemoryError refused;
    lock.lock();
    try {
      requireOpen();
      if (current != null) {
        throw new IllegalStateException(
            "Cannot start an epoch: another thread started one at the same time.");
      }
      all = group();
      try {
        all.start();
        EpochWork work = new EpochWork(task, all, all.threads);
        current = work;
        all.work = work.isIdle() ? null : work;
        all.turn++;
        changed.signalAll();
        return;
      } catch (OutOfMemoryError e) {
        refused = refused(all.threads.size(), e);
        all.dismiss();
        group = null;
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
            Sentence.of(
                "Cannot start worker %s of %s: the system gives no more threads (%s)."
                    + " Use fewer workers, or raise the limits on threads and memory.",
                started + 1, count, cause.getMessage()));
    told.initCause(cause);
    return told;
  }

  /// Runs work for a task on the consumer's thread, which counts as working on it meanwhile. The
  /// work itself has to check whether the task was ended before.
  ///
  /// @throws IllegalStateException if the thread is already working on the task
  public <R extends @Nullable Object, X extends Throwable> R here(
      WorkerTask task, ScopedValue.CallableOp<R, X> work) throws X {
    EpochWork entered = enter(task);
    if (entered == null) {
      return work.call();
    }
    try {
      return entered.consumerScope.call(work);
    } finally {
      leave(entered);
    }
  }

  private @Nullable EpochWork enter(WorkerTask task) {
    lock.lock();
    try {
      EpochWork work = current;
      if (work == null || !work.task.equals(task) || !work.enter()) {
        return null;
      }
      work.group.work = work;
      return work;
    } finally {
      lock.unlock();
    }
  }

  /// Starts a virtual thread that works on the current task until its body ends; it is interrupted
  /// when the task is ended. Called by threads that work on the task.
  ///
  /// @return interrupts the thread
  /// @throws IllegalStateException if the task was ended
  public Runnable help(String name, Runnable body) {
    lock.lock();
    try {
      EpochWork work = current;
      Thread helper = Thread.ofVirtual().name(name).unstarted(() -> help(work, body));
      if (work == null || !work.join(helper)) {
        throw new IllegalStateException("The epoch was stopped.");
      }
      work.group.work = work;
      helper.start();
      return helper::interrupt;
    } finally {
      lock.unlock();
    }
  }

  private void help(@Nullable EpochWork work, Runnable body) {
    try {
      body.run();
    } finally {
      leave(Objects.requireNonNull(work));
    }
  }

  private void leave(EpochWork work) {
    lock.lock();
    try {
      changed.signalAll();
      if (!work.leave()) {
        if (work.isIdle()) {
          work.group.rest();
        }
        return;
      }
    } finally {
      lock.unlock();
    }
    free(work);
  }

  /// Frees a claimed task. Called without the lock, because users' code closes what it made.
  private void free(EpochWork work) {
    try {
      work.task.discard();
    } catch (Throwable e) {
      UserCode.warn(WorkerPool.class, "Cannot free what is left of an epoch", e);
    } finally {
      work.consumerScope.close();
      lock.lock();
      try {
        work.freed();
        if (work.group.work == work) { // in one step: who waits for it must find the threads idle
          work.group.rest();
        }
        forget(work);
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  @GuardedBy("lock")
  private void forget(EpochWork work) {
    if (current == work) {
      current = null;
    }
  }

  /// Ends the current task, if there is one.
  ///
  /// @param reason why, as the end of a sentence
  public void end(String reason) {
    EpochWork work = current();
    if (work != null) {
      end(work, reason);
    }
  }

  public void end(WorkerTask task, String reason) {
    EpochWork work = current();
    if (work != null && work.task.equals(task)) {
      end(work, reason);
    }
  }

  private @Nullable EpochWork current() {
    lock.lock();
    try {
      return current;
    } finally {
      lock.unlock();
    }
  }

  private void end(EpochWork work, String reason) {
    work.task.cancel(reason);
    boolean mine = false;
    Set<Thread> stuck = Set.of();
    lock.lock();
    try {
      work.end();
      if (work.isWithin()) {
        work.leaveBehind();
      } else if (work.awaitEnd(changed, grace)) {
        mine = work.claim();
      } else {
        stuck = work.atWork();
        work.leaveBehind();
        forget(work);
        dismissThreadsOf(work);
      }
    } finally {
      lock.unlock();
    }
    if (mine) {
      free(work);
      return;
    }
    work.task.discardReady();
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

  @GuardedBy("lock")
  private void dismissThreadsOf(EpochWork work) {
    work.group.dismiss();
    if (group == work.group) {
      group = null;
    }
  }

  /// Ends the current task and the threads, and waits for them within the limits of [#end].
  @Override
  public void close() {
    WorkerThreads all;
    lock.lock();
    try {
      closed = true;
      all = group;
    } finally {
      lock.unlock();
    }
    try {
      end("the loader is closed");
    } finally {
      dismiss(all);
    }
  }

  private void dismiss(@Nullable WorkerThreads all) {
    if (all == null) {
      return;
    }
    boolean isWithin;
    lock.lock();
    try {
      isWithin = all.work != null; // a worker calls this, or one is left behind
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
