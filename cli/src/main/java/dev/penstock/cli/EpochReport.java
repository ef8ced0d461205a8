package dev.penstock.cli;

import dev.penstock.LoaderStats;
import dev.penstock.cli.measure.RowDigest;
import dev.penstock.cli.measure.ShuffleReport;
import java.util.Optional;

/// What an epoch has come to.
///
/// @param stats what this run has had of it
/// @param seconds how long that took
/// @param delivered what it has delivered, in earlier runs too where that is known
/// @param resumedAfter how many batches earlier runs have had
/// @param isWhole whether all its rows are among those delivered
/// @param shuffle how they are shuffled; empty if that was not measured
record EpochReport(
    LoaderStats stats,
    double seconds,
    Delivered delivered,
    long resumedAfter,
    boolean isWhole,
    Optional<ShuffleReport> shuffle) {
  /// What came out of an epoch.
  ///
  /// @param rows how many rows
  /// @param batches in how many batches
  /// @param digest the digest of the rows
  record Delivered(long rows, long batches, RowDigest digest) {}

  EpochReport withShuffle(Optional<ShuffleReport> measured) {
    return new EpochReport(stats, seconds, delivered, resumedAfter, isWhole, measured);
  }

  double rowsPerSecond() {
    return seconds > 0 ? stats.rows() / seconds : 0;
  }

  double waitSeconds() {
    return stats.times().waitNanos() / 1e9;
  }
}
