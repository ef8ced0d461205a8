package dev.penstock.internal.workers;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;

/// The work of a pool's threads, and of a consumer that works in their place, on one epoch.
///
/// **Threads.** Under the lock of its [WorkerPool].
final class EpochWork {
  private static final long AGAIN = Duration.ofMillis(50).toNanos();

  /// How far it is. Each state comes once, and some may be left out.
  private enum State {
    RUNNING,
    /// Nobody begins to work on it.
    ENDED,
    /// Nobody waits for it: the last thread to leave frees it.
    LEFT_BEHIND,
    /// No thread is at work, and one is freeing it.
    FREEING,
    FREED
  }

  final WorkerTask task;
  final WorkerPool.WorkerThreads group;
  final WorkerScope consumerScope = new WorkerScope(Map.of());
  private final List<Thread> threads; // of the group
  private final Set<Thread> helpers = new HashSet<>();
  private final Set<Thread> atWork;
  private State state = State.RUNNING;

  EpochWork(WorkerTask task, WorkerPool.WorkerThreads group, List<Thread> threads) {
    this.task = task;
    this.group = group;
    this.threads = List.copyOf(threads);
    this.atWork = new HashSet<>(threads);
  }

  private boolean isBefore(State later) {
    return state.compareTo(later) < 0;
  }

  private void go(State next) {
    if (!isBefore(next)) {
      throw new IllegalStateException(next + " after " + state);
    }
    state = next;
  }

  boolean isIdle() {
    return atWork.isEmpty();
  }

  boolean isWithin() {
    return atWork.contains(Thread.currentThread());
  }

  Set<Thread> atWork() {
    return Set.copyOf(atWork);
  }

  /// Lets the calling thread work; returns false if the work was ended.
  ///
  /// @throws IllegalStateException if it is at work already
  boolean enter() {
    if (!isBefore(State.ENDED)) {
      return false;
    }
    if (!atWork.add(Thread.currentThread())) {
      throw new IllegalStateException("Cannot ask for a batch in code that makes one.");
    }
    return true;
  }

  /// Lets a thread that was not started yet work, as does the calling thread; returns false if the
  /// work was ended.
  boolean join(Thread helper) {
    return isBefore(State.ENDED) && isWithin() && helpers.add(helper) && atWork.add(helper);
  }

  /// Records that the calling thread is not at work any more. Returns whether it has to free the
  /// rest.
  boolean leave() {
    atWork.remove(Thread.currentThread());
    helpers.remove(Thread.currentThread());
    return state == State.LEFT_BEHIND && isIdle() && claim();
  }

  void end() {
    if (isBefore(State.ENDED)) {
      go(State.ENDED);
      helpers.forEach(Thread::interrupt);
    }
  }

  void leaveBehind() {
    if (state != State.LEFT_BEHIND) {
      go(State.LEFT_BEHIND);
    }
  }

  /// Returns true to the first thread that asks: it has to free the rest.
  boolean claim() {
    if (!isBefore(State.FREEING)) {
      return false;
    }
    go(State.FREEING);
    return true;
  }

  void freed() {
    go(State.FREED);
  }

  /// Waits until no thread is at work, and, if a thread is freeing the rest, until it has, but no
  /// longer than the grace period. Returns whether all threads have stopped.
  ///
  /// @param changed signalled when a thread leaves, and when all is freed
  boolean awaitEnd(Condition changed, Duration grace) {
    long start = System.nanoTime();
    boolean hurried = false;
    boolean interrupted = false;
    while (!isIdle() || state == State.FREEING) {
      long passed = System.nanoTime() - start;
      if (passed >= grace.toNanos()) {
        break;
      }
      hurried |= passed >= grace.toNanos() / 2;
      if (hurried) { // repeated: code may swallow one interrupt and wait again
        threads.stream().filter(atWork::contains).forEach(Thread::interrupt);
        helpers.forEach(Thread::interrupt);
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
    return isIdle();
  }
}
