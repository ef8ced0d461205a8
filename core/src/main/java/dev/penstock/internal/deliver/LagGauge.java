package dev.penstock.internal.deliver;

/// Measures how often a worker finds that those with whom it shares rows are behind.
///
/// Workers that share a run fill the same batches, and one that gets ahead of the others by chance
/// waits for them, see [ReadAhead#abreast()]. Where their parts are unequal the same worker would
/// wait at every slice: that is at one of four times that any asks, by chance at one of a hundred.
///
/// It knows no threads.
final class LagGauge {
  /// Up to one of so many times is chance.
  private static final int ASKED_PER_LAG = 8;

  /// Fewer say nothing.
  private static final int LAGS_MIN = 32;

  private long asked;
  private long lags;

  /// Counts that a worker asks for room.
  void ask() {
    asked++;
  }

  /// Counts that it has to wait for others.
  ///
  /// @return whether that is too often to be chance
  boolean lag() {
    lags++;
    return lags >= LAGS_MIN && lags * ASKED_PER_LAG >= asked;
  }
}
