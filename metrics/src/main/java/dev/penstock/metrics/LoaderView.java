package dev.penstock.metrics;

import dev.penstock.Loader;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.LoaderTotals;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Asks a loader for its numbers once for all meters that a registry reads together, so that they
/// fit together.
///
/// Meters are read together if less than 50 ms pass between two of them, and half a second between
/// the first and the last.
///
/// **Threads.** Safe for any.
final class LoaderView {
  private static final long GAP_NANOS = Duration.ofMillis(50).toNanos();
  private static final long AGE_NANOS = Duration.ofMillis(500).toNanos();

  private final LongSupplier ticker;

  // Guarded by this.
  private @Nullable Seen seen;
  private long taken; // when it was seen
  private long looked; // when it was last asked for

  /// What was seen.
  ///
  /// @param stats of the current epoch
  /// @param totals of all epochs
  record Seen(LoaderStats stats, LoaderTotals totals) {}

  LoaderView(LongSupplier ticker) {
    this.ticker = ticker;
  }

  synchronized Seen look(Loader<?> loader) {
    long now = ticker.getAsLong();
    Seen last = seen;
    if (last == null || now - looked >= GAP_NANOS || now - taken >= AGE_NANOS) {
      last = new Seen(loader.stats(), loader.totals());
      seen = last;
      taken = now;
    }
    looked = now;
    return last;
  }
}
