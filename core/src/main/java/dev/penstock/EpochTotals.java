package dev.penstock;

import java.util.function.Supplier;

/// Sums up the epochs of a loader. Each counts once: as the current one, until the next one begins,
/// and from then on as one of those before.
///
/// **Threads.** Safe for any.
final class EpochTotals {
  // Guarded by this.
  private LoaderTotals before = LoaderTotals.NONE;
  private LoaderTotals seen = LoaderTotals.NONE;
  private Supplier<LoaderTotals> current = () -> LoaderTotals.NONE;

  /// Begins the next epoch.
  ///
  /// @param epoch counts what it has done so far; takes no lock for long
  synchronized void begin(Supplier<LoaderTotals> epoch) {
    before = now();
    current = epoch;
  }

  /// Returns the sum up to now.
  synchronized LoaderTotals now() {
    seen = before.plus(current.get()).notBefore(seen);
    return seen;
  }
}
