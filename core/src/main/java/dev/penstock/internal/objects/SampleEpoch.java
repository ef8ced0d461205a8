package dev.penstock.internal.objects;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.internal.clock.ClockedEpoch;
import dev.penstock.internal.clock.ConsumerClock;
import dev.penstock.internal.clock.StageClocks;
import dev.penstock.internal.memory.WorkerScratch;
import dev.penstock.internal.workers.ConsumerWait;
import dev.penstock.internal.workers.TimedOut;
import dev.penstock.internal.workers.UserCode;
import dev.penstock.internal.workers.WorkerTask;
import dev.penstock.internal.workers.WorkerWait;
import dev.penstock.options.Reading;
import dev.penstock.stats.BatchQueue;
import dev.penstock.stats.EpochTimes;
import dev.penstock.stats.Stage;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// One pass over rows that are Java objects: batches are requested from workers in turn, and
/// received in that order.
///
/// As in torch, `prefetchFactor` batches per worker are requested at the start, and one more
/// whenever one was received; so at most that many are being made or wait to be received. Turns
/// start at worker 0 and skip workers that reported their end, from the place of that report in the
/// order on; so the order does not depend on timing.
///
/// **Threads.** [#hasNext] and [#next] by one consumer; [#cancel] from any.
public final class SampleEpoch<B> implements WorkerTask {
  /// Thrown to the consumer in place of a batch that could not be made.
  public static final class Failed extends Exception {
    private static final long serialVersionUID = 1;

    private final int worker;

    private Failed(int worker, Throwable cause) {
      super(cause);
      this.worker = worker;
    }

    /// Returns the number of the worker that failed; -1 for the consumer's thread.
    public int worker() {
      return worker;
    }
  }

  private final long number;
  private final Iterator<long[]> indices;
  private final Reading reading;
  private final boolean inOrder;
  private final boolean endsInWorkers;
  private final EpochWorkers<B> workers;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition asked = lock.newCondition();
  private final Condition made = lock.newCondition();

  @GuardedBy("lock")
  private final List<Deque<SampleTask<B>>> todo = new ArrayList<>();

  @GuardedBy("lock")
  private final Deque<SampleTask<B>> arrived = new ArrayDeque<>(); // in order

  @GuardedBy("lock")
  private int making; // tasks in progress

  @GuardedBy("lock")
  private boolean cancelled;

  @GuardedBy("lock")
  private @Nullable Throwable lost; // what ended a worker

  private volatile @Nullable String stopped;

  // Used by the consumer.
  private final ReentrantLock consumer = new ReentrantLock();

  @GuardedBy("consumer")
  private final Deque<SampleTask<B>> order = new ArrayDeque<>();

  @GuardedBy("consumer")
  private final Turns turns;

  @GuardedBy("consumer")
  private boolean allAsked;

  @GuardedBy("consumer")
  private @Nullable SampleTask<B> ready;

  @GuardedBy("consumer")
  private @Nullable Fetcher<B> inline;

  @GuardedBy("consumer")
  private boolean inlineBroken; // it could not be started

  private final AtomicLong rows = new AtomicLong();
  private final AtomicLong batches = new AtomicLong();
  private final StageClocks clocks;
  private final ConsumerClock consumerClock;

  /// Makes an epoch and requests the first batches. Starts no thread.
  public SampleEpoch(
      ClockedEpoch epoch, Samples<?> samples, boolean inOrder, EpochWorkers<B> workers) {
    this.number = epoch.epoch();
    this.indices = samples.batches(number);
    this.endsInWorkers = samples.endsInWorkers();
    this.reading = workers.options().reading();
    this.inOrder = inOrder;
    this.workers = workers;
    this.clocks = new StageClocks(reading.workers(), System::nanoTime, epoch);
    this.consumerClock = new ConsumerClock(clocks, System::nanoTime);
    this.turns = new Turns(reading, inOrder);
    for (int i = 0; i < reading.workers(); i++) {
      todo.add(new ArrayDeque<>());
    }
    for (int i = 0; i < reading.workers() * reading.prefetchFactor(); i++) {
      ask();
    }
  }

  @GuardedBy("consumer")
  private void ask() {
    int worker = allAsked ? -1 : turns.next();
    if (worker < 0) {
      return;
    }
    SampleTask<B> task;
    try {
      if (!indices.hasNext()) {
        allAsked = true;
        return;
      }
      task = new SampleTask<>(worker, indices.next());
    } catch (Throwable e) { // the user's sampler
      allAsked = true;
      task = new SampleTask<>(worker, new long[0]);
      task.failure = e;
      task.here = true;
      task.done = true;
    }
    turns.asked(worker);
    order.add(task);
    if (reading.workers() > 0) {
      lock.lock();
      try {
        (task.done ? arrived : todo.get(worker)).add(task);
        asked.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /// Makes the batches requested from the worker, until the epoch is cancelled.
  @Override
  public void work(WorkerScratch scratch, int worker) {
    clocks.of(worker).run(Stage.BATCH, () -> workers.runAs(worker, () -> work(worker)));
  }

  private void work(int worker) {
    Fetcher<B> fetcher = null;
    Throwable broken = null;
    try {
      fetcher = workers.start();
    } catch (Throwable e) {
      broken = e;
    }
    try {
      SampleTask<B> task = take(worker);
      while (task != null) {
        Fetcher.Fetched<B> fetched = null;
        Throwable failure = null;
        if (fetcher == null) {
          failure = broken;
          broken = endsInWorkers ? null : broken; // reported once; then the worker has ended
        } else {
          try {
            fetched = fetcher.fetch(task.indices);
          } catch (Throwable e) {
            failure = e;
          }
        }
        finish(task, fetched, failure);
        task = take(worker);
      }
    } finally {
      close(fetcher);
    }
  }

  private static void close(@Nullable Fetcher<?> fetcher) {
    if (fetcher != null) {
      try {
        fetcher.close();
      } catch (Throwable e) { // the worker has to continue with its next epoch
        UserCode.warn(SampleEpoch.class, "Cannot close a dataset's iterator", e);
      }
    }
  }

  private @Nullable SampleTask<B> take(int worker) {
    lock.lock();
    try {
      Deque<SampleTask<B>> mine = todo.get(worker);
      while (!cancelled && mine.isEmpty()) {
        WorkerWait.on(asked, "consumer");
      }
      making += cancelled ? 0 : 1;
      return cancelled ? null : mine.poll();
    } finally {
      lock.unlock();
    }
  }

  private void finish(
      SampleTask<B> task, Fetcher.@Nullable Fetched<B> fetched, @Nullable Throwable failure) {
    lock.lock();
    try {
      task.fetched = fetched;
      task.failure = failure;
      task.done = true;
      making--;
      if (!cancelled) {
        arrived.add(task);
        made.signalAll();
        return;
      }
    } finally {
      lock.unlock();
    }
    task.discard(); // it will not be received; runs users' code
  }

  /// Returns whether there is another batch; waits for it if only the workers know. Returns true
  /// after an earlier [#cancel], so that the caller calls [#next].
  public boolean hasNext() throws TimedOut, InterruptedIOException {
    consumer.lock();
    try {
      boolean known = ready != null || !endsInWorkers;
      if (known && reading.workers() == 0 && ready == null && order.isEmpty()) {
        ask();
      }
      boolean more = known ? ready != null || !order.isEmpty() : settle() != null;
      boolean isOver = ready == null && order.isEmpty() && (allAsked || turns.haveAllEnded());
      more |= isCancelled() && !isOver;
      if (!more) {
        consumerClock.end();
      }
      return more;
    } finally {
      consumer.unlock();
    }
  }

  /// Returns the next batch; null at the end or after [#cancel].
  ///
  /// @throws TimedOut if it waited too long; the batch can be requested again
  /// @throws InterruptedIOException if the thread is interrupted; likewise
  public @Nullable B next() throws TimedOut, InterruptedIOException, Failed {
    consumer.lock();
    try {
      SampleTask<B> task = settle();
      if (task == null) {
        return null;
      }
      ready = null;
      if (reading.workers() > 0) {
        ask();
      }
      if (task.failure != null) {
        throw new Failed(task.here || reading.workers() == 0 ? -1 : task.worker, task.failure);
      }
      Fetcher.Fetched<B> fetched = Objects.requireNonNull(task.fetched);
      rows.addAndGet(fetched.rows());
      batches.incrementAndGet();
      consumerClock.received();
      return fetched.batch();
    } finally {
      consumer.unlock();
    }
  }

  /// Finds the next task that has a batch or a failure.
  @GuardedBy("consumer")
  private @Nullable SampleTask<B> settle() throws TimedOut, InterruptedIOException {
    if (isCancelled()) {
      return null;
    }
    while (ready == null) {
      if (reading.workers() == 0 && order.isEmpty()) {
        ask();
      }
      if (order.isEmpty()) {
        return null;
      }
      SampleTask<B> task = reading.workers() == 0 ? madeHere() : awaitMade();
      if (task == null) {
        return null;
      }
      turns.answered(task.worker);
      if (task.fetched != null || task.failure != null) {
        ready = task;
      } else {
        turns.end(task.worker);
        ask();
      }
    }
    return ready;
  }

  @GuardedBy("consumer")
  @SuppressWarnings("GuardedBy") // the clock runs it at once
  private SampleTask<B> madeHere() {
    SampleTask<B> task = order.remove();
    ConsumerClock.Wait wait = consumerClock.begin();
    clocks.of(0).run(Stage.BATCH, () -> make(task));
    consumerClock.end(wait);
    return task;
  }

  @GuardedBy("consumer")
  private void make(SampleTask<B> task) {
    try {
      if (!task.done && !inlineBroken) {
        inlineBroken = inline == null && endsInWorkers; // unless all goes well below
        inline = inline == null ? workers.start() : inline;
        inlineBroken = false;
        task.fetched = inline.fetch(task.indices);
      }
    } catch (Throwable e) {
      task.failure = e;
    }
    task.done = true;
  }

  @GuardedBy("consumer")
  private @Nullable SampleTask<B> awaitMade() throws TimedOut, InterruptedIOException {
    ConsumerClock.Wait clocked = consumerClock.begin();
    ConsumerWait wait = new ConsumerWait(reading.timeout());
    lock.lock();
    try {
      SampleTask<B> task = firstMade(order.peek());
      while (task == null && !cancelled && lost == null) {
        wait.on(made);
        task = firstMade(order.peek());
      }
      if (task == null && !cancelled) {
        task = order.element();
        task.failure = lost;
      }
      if (task != null) {
        order.remove(task);
      }
      return task;
    } catch (InterruptedException e) {
      throw ConsumerWait.interrupted("the next batch of the epoch", e);
    } finally {
      lock.unlock();
      consumerClock.end(clocked);
    }
  }

  /// Removes the task to receive now; returns null if it is not done.
  @GuardedBy("lock")
  private @Nullable SampleTask<B> firstMade(@Nullable SampleTask<B> asked) {
    SampleTask<B> first = inOrder ? asked : arrived.peek();
    if (first == null || !first.done) {
      return null;
    }
    arrived.remove(first);
    return first;
  }

  private boolean isCancelled() {
    lock.lock();
    try {
      return cancelled;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void fail(Throwable failure) {
    lock.lock();
    try {
      lost = lost == null ? failure : lost;
      made.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void cancel(String reason) {
    if (stopped == null) {
      stopped = "Cannot continue epoch " + number + ": " + reason + ".";
    }
    consumerClock.end();
    lock.lock();
    try {
      cancelled = true;
      asked.signalAll();
      made.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Returns why the epoch ended early, as a sentence; null if it was not stopped.
  public @Nullable String stopped() {
    return stopped;
  }

  @Override
  public void discardReady() {
    List<SampleTask<B>> unwanted;
    lock.lock();
    try {
      unwanted = List.copyOf(arrived);
      arrived.clear();
    } finally {
      lock.unlock();
    }
    unwanted.forEach(SampleTask::discard); // runs users' code
  }

  @Override
  @SuppressWarnings("GuardedBy") // nobody uses this any more
  public void discard() {
    discardReady();
    SampleTask<B> left = ready;
    if (left != null) {
      left.discard();
    }
    close(inline);
    inline = null;
  }

  public long number() {
    return number;
  }

  public long rowsDelivered() {
    return rows.get();
  }

  public long batchesDelivered() {
    return batches.get();
  }

  public EpochTimes times() {
    return consumerClock.times();
  }

  public BatchQueue queue() {
    lock.lock();
    try {
      return new BatchQueue(
          arrived.size(), making, Math.max(1, reading.workers() * reading.prefetchFactor()));
    } finally {
      lock.unlock();
    }
  }
}
