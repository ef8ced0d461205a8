package dev.penstock.cli;

import dev.penstock.cli.measure.RowDigest;
import dev.penstock.cli.measure.ShuffleReport;
import dev.penstock.stats.LoaderStats;
import java.util.Optional;

/// The results of an epoch.
///
/// @param stats the loader's numbers of this run
/// @param delivered what it has delivered, including earlier runs if known
/// @param resumedAfter how many batches earlier runs received
/// @param isWhole whether all its rows were delivered
/// @param shuffle how rows are shuffled; empty if not measured
record EpochReport(
    LoaderStats stats,
    double seconds,
    Delivered delivered,
    long resumedAfter,
    boolean isWhole,
    Optional<ShuffleReport> shuffle) {
  /// The rows delivered in an epoch.
  record Delivered(long rows, long batches, RowDigest digest) {}

  double rowsPerSecond() {
    return seconds > 0 ? stats.rows() / seconds : 0;
  }

  double waitSeconds() {
    return stats.times().waitNanos() / 1e9;
  }
}
