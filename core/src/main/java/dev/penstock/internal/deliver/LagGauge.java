package dev.penstock.internal.deliver;

/// Measures how often a worker finds that the workers it shares rows with are behind.
///
/// Workers that share a run fill the same batches, and one that gets ahead of the others by chance
/// waits for them, see [ReadAhead#abreast()]. Where their parts are unequal, the same worker would
/// wait at every slice: then one request in four waits, instead of one in a hundred by chance.
///
/// **Threads.** Guarded by the [DeliveryQueue]'s lock.
final class LagGauge {
  /// One lag in more requests than this is chance.
  private static final int ASKED_PER_LAG = 8;

  /// Fewer lags than this are not conclusive.
  private static final int LAGS_MIN = 32;

  private long asked;
  private long lags;

  /// Counts a worker's request for room.
  void ask() {
    asked++;
  }

  /// Counts that the worker has to wait for others.
  ///
  /// @return whether this happens too often to be chance
  boolean lag() {
    lags++;
    return lags >= LAGS_MIN && lags * ASKED_PER_LAG >= asked;
  }
}
