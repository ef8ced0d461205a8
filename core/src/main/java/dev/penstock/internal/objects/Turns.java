package dev.penstock.internal.objects;

import dev.penstock.options.Reading;
import java.util.Arrays;

/// Which worker is asked for the next batch: one after another, without those that have no more.
///
/// If batches may come out of order, a worker that was asked for its share of the batches ahead is
/// passed over, too.
///
/// **Threads.** Guarded by the consumer's lock of its [SampleEpoch].
final class Turns {
  private final int ahead;
  private final boolean inOrder;
  private final int[] outstanding;
  private final boolean[] active;
  private int activeCount;
  private int turn;

  Turns(Reading reading, boolean inOrder) {
    this.ahead = reading.workers() * reading.prefetchFactor();
    this.inOrder = inOrder;
    this.outstanding = new int[Math.max(1, reading.workers())];
    this.active = new boolean[outstanding.length];
    Arrays.fill(active, true);
    this.activeCount = active.length;
  }

  /// The worker whose turn it is; -1 if none is to be asked.
  int next() {
    for (int i = 0; i < active.length; i++) {
      int worker = (turn + i) % active.length;
      int most = Math.max(1, ahead / Math.max(1, activeCount));
      if (active[worker] && (inOrder || outstanding[worker] < most)) {
        return worker;
      }
    }
    return -1;
  }

  void asked(int worker) {
    turn = (worker + 1) % active.length;
    outstanding[worker]++;
  }

  void answered(int worker) {
    outstanding[worker]--;
  }

  /// Takes a worker out that has no more.
  void end(int worker) {
    if (active[worker]) {
      active[worker] = false;
      activeCount--;
    }
  }

  boolean haveAllEnded() {
    return activeCount == 0;
  }
}
