package dev.penstock.internal.deliver;

/// How many batches workers may write, from the first on that the consumer has not taken.
///
/// Workers that share a run fill the same batches, and one that gets ahead of the others by chance
/// waits for them, see [ReadAhead#abreast()]. Where their parts are unequal, the same worker would
/// wait at every slice: then one request in four waits, instead of one in a hundred by chance. If
/// so, the limit is lifted.
///
/// **Threads.** Under the [DeliveryQueue]'s lock.
final class WorkerLead {
  private static final int ASKED_PER_LAG = 8; // one lag in more requests than this is chance
  private static final int LAGS_MIN = 32; // fewer lags than this are not conclusive
  private final ReadAhead ahead;
  private final OpenBatches open;
  private int batches;
  private long asked;
  private long lags;

  WorkerLead(ReadAhead ahead, OpenBatches open) {
    this.ahead = ahead;
    this.open = open;
    this.batches = ahead.abreast();
  }

  /// Returns the first batch that may not be written.
  long end() {
    return open.first() + (isFull() ? 1 : batches);
  }

  /// Returns whether only the first batch may be written, because of memory outside of slabs.
  boolean isFull() {
    return open.sideBytes() > ahead.sideBytes();
  }

  void ask() {
    asked++;
  }

  /// Returns whether a batch is too far ahead of other workers, but not of the consumer.
  boolean isLagging(long number) {
    return batches < ahead.batches() && number >= open.first() + batches;
  }

  /// Counts that a worker has to wait for others. If this happens too often to be chance, lifts the
  /// limit, and returns true.
  boolean lag() {
    lags++;
    if (lags < LAGS_MIN || lags * ASKED_PER_LAG < asked) {
      return false;
    }
    batches = ahead.batches();
    return true;
  }
}
