package dev.penstock.cli;

import dev.penstock.LoaderStats;
import dev.penstock.cli.measure.RowDigest;
import dev.penstock.cli.measure.ShuffleReport;
import java.util.Optional;

/// What an epoch has come to.
///
/// @param stats what this run has had of it
/// @param seconds how long that took
/// @param rows its rows, those of earlier runs included where they are known
/// @param batches its batches, likewise
/// @param digest the digest of these rows
/// @param resumedAfter how many batches earlier runs have had
/// @param isWhole whether these rows are all of them
/// @param shuffle how they are shuffled; empty if that was not measured
record EpochReport(
    LoaderStats stats,
    double seconds,
    long rows,
    long batches,
    RowDigest digest,
    long resumedAfter,
    boolean isWhole,
    Optional<ShuffleReport> shuffle) {
  EpochReport withShuffle(Optional<ShuffleReport> measured) {
    return new EpochReport(stats, seconds, rows, batches, digest, resumedAfter, isWhole, measured);
  }

  double rowsPerSecond() {
    return seconds > 0 ? stats.rows() / seconds : 0;
  }

  double waitSeconds() {
    return stats.waitNanos() / 1e9;
  }
}
