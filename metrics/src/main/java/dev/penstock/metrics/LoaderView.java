package dev.penstock.metrics;

import dev.penstock.Loader;
import dev.penstock.LoaderStats;
import dev.penstock.LoaderTotals;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Asks a loader for its numbers once for all meters that a registry reads together, so that they
/// fit together.
///
/// **Threads.** Safe for any.
final class LoaderView {
  /// A registry reads all its meters within this time, or some numbers are newer than others.
  private static final long FRESH_NANOS = Duration.ofMillis(10).toNanos();

  private final LongSupplier ticker;
  private @Nullable Seen seen; // guarded by this

  /// What was seen.
  ///
  /// @param stats of the current epoch
  /// @param totals of all epochs
  /// @param nanos when
  record Seen(LoaderStats stats, LoaderTotals totals, long nanos) {}

  LoaderView(LongSupplier ticker) {
    this.ticker = ticker;
  }

  synchronized Seen look(Loader<?> loader) {
    long now = ticker.getAsLong();
    Seen last = seen;
    if (last == null || now - last.nanos() > FRESH_NANOS) {
      last = new Seen(loader.stats(), loader.totals(), now);
      seen = last;
    }
    return last;
  }
}
