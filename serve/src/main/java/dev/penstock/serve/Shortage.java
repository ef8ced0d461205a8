package dev.penstock.serve;

import dev.penstock.format.MemoryLimitException;
import java.io.IOException;
import java.lang.ref.Reference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the clients of a server share when it runs out of heap, threads or descriptors: who meets
/// that need not be who took them.
///
/// Whoever meets it waits and tries again, requests one after another. So the one that asks for
/// more than there is fails, which frees what it took, and the others go on.
///
/// **Threads.** Safe for any.
final class Shortage implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Shortage.class);

  private static final int CAUSES_MAX = 16;
  private static final String TOO_MANY_FILES = "Too many open files";
  static final int PAUSES_MAX = 100;
  static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /// This fraction (1/n) of the heap has to be free before somebody tries again.
  private static final int FREE = 8;

  private static final int FREE_BYTES_MAX = 64 << 20;

  final HeapRoom arriving; // for texts of requests that were not worked on yet
  final HeapRoom reading; // for requests that are read
  private final AtomicLong begun = new AtomicLong();
  private final ReentrantLock turn = new ReentrantLock();
  private final HeapWatch watch;

  /// Makes it.
  ///
  /// @param heap the bytes of the heap that requests share
  /// @param patienceMillis how long a request waits until others give back heap
  Shortage(long heap, long patienceMillis) {
    this.arriving = new HeapRoom("its text", heap / 4, patienceMillis);
    this.watch = new HeapWatch(heap);
    this.reading = new HeapRoom("what it says", heap / 2, patienceMillis);
  }

  /// Something that may run out of heap, and that can be done again.
  interface Step {
    void run() throws IOException, InterruptedException;
  }

  /// Returns whether an error comes from a heap without room, or from too many threads or files.
  static boolean isCauseOf(Throwable error) {
    Throwable each = error;
    for (int i = 0; each != null && i < CAUSES_MAX; i++) {
      String message = each.getMessage();
      if (each instanceof OutOfMemoryError
          || (message != null && message.contains(TOO_MANY_FILES))) {
        return true;
      }
      each = each.getCause();
    }
    return false;
  }

  /// Works on something, and once more if the heap was short and others are at work: they may have
  /// filled it. What is done again is done alone.
  void work(Work work, Step step) throws IOException, InterruptedException {
    long others = begun();
    try {
      step.run();
    } catch (IOException | RuntimeException | Error e) {
      if (!mayTryAgain(work, others, e)) {
        throw e;
      }
      turn.lockInterruptibly();
      try {
        awaitRoom();
        LOG.warn("Memory or files are short, and a request is worked on once more", e);
        step.run();
      } finally {
        turn.unlock();
      }
    }
  }

  /// Returns whether something that failed may be tried again, as others may be the reason.
  ///
  /// @param since what [#begun] said when it was begun
  boolean mayTryAgain(Work work, long since, Throwable met) {
    return isCauseOf(met)
        && work.refusal() == null
        && (watch.works.size() > 1 || begun.get() != since);
  }

  /// Notes that the calling thread begins something that takes heap.
  ///
  /// @param ending ends it; called by another thread if it takes all there is
  Work enter(Runnable ending) {
    Work work = new Work(watch, Thread.currentThread(), ending);
    begun.incrementAndGet();
    watch.add(work);
    return work;
  }

  /// Returns how much work has begun, for [#mayTryAgain]; -1 if others are at work, since they may
  /// have ended by then.
  long begun() {
    return watch.works.size() > 1 ? -1 : begun.get();
  }

  /// Something in progress that takes heap.
  static final class Work implements AutoCloseable {
    private final HeapWatch watch;
    final Thread thread;
    private final Runnable ending;
    final long allocatedBefore;
    volatile long steps; // written by its thread alone

    // Guarded by this.
    private @Nullable MemoryLimitException refusal;
    private boolean over;

    private Work(HeapWatch watch, Thread thread, Runnable ending) {
      this.watch = watch;
      this.thread = thread;
      this.ending = ending;
      this.allocatedBefore = watch.allocatedHere();
    }

    /// Notes that a part of it was done, for which it needs the heap no more.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    void cameOn() {
      steps++;
    }

    /// Ends it from another thread, with an error.
    void refuse(MemoryLimitException error) {
      synchronized (this) {
        if (over) {
          return;
        }
        refusal = error;
        thread.interrupt();
      }
      ending.run();
    }

    synchronized @Nullable MemoryLimitException refusal() {
      return refusal;
    }

    /// Returns what its client is told: why it was ended, or what it met itself.
    Throwable told(Throwable met) {
      close();
      MemoryLimitException ended = refusal();
      return ended == null ? met : ended;
    }

    @Override
    public void close() {
      watch.works.remove(this);
      synchronized (this) {
        over = true;
        if (refusal != null) {
          Thread.interrupted(); // was meant for what is over
        }
      }
    }
  }

  @Override
  public void close() {
    watch.close();
  }

  /// Something small that may run out of heap, and that can be done again.
  ///
  /// @param <T> what comes of it
  interface SmallStep<T> {
    T run() throws IOException;
  }

  /// Does something small, again and again until the heap has room for it, up to some seconds.
  ///
  /// @param step made before the heap is short: a lambda that holds something is allocated, too
  static <T> T insist(SmallStep<T> step) throws IOException, InterruptedException {
    for (int pauses = 0; ; pauses++) {
      try {
        return step.run();
      } catch (OutOfMemoryError e) {
        pause(pauses, e);
      }
    }
  }

  /// Waits a moment before something small is done again.
  ///
  /// @param pauses how many there were before
  /// @throws OutOfMemoryError what was met, when the pauses have taken some seconds
  static void pause(int pauses, OutOfMemoryError met) throws InterruptedException {
    if (pauses == PAUSES_MAX) {
      throw met;
    }
    pause();
  }

  /// Waits a moment, and until a part of the heap is free, or for some seconds.
  static void awaitRoom() throws InterruptedException {
    pause();
    int wanted = (int) Math.min(FREE_BYTES_MAX, Runtime.getRuntime().maxMemory() / FREE);
    for (int pauses = 0; pauses < PAUSES_MAX; pauses++) {
      try {
        byte[] room = new byte[wanted];
        try {
          return;
        } finally {
          Reference.reachabilityFence(room); // else the compiler may leave it out
        }
      } catch (OutOfMemoryError _) {
        pause();
      }
    }
  }

  private static void pause() throws InterruptedException {
    LockSupport.parkNanos(PAUSE_NANOS);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }
}
