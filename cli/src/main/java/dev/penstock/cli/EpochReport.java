package dev.penstock.cli;

import dev.penstock.LoaderStats;

/// What an epoch has come to.
///
/// @param stats what this run has had of it
/// @param seconds how long that took
/// @param rows its rows, those of earlier runs included where they are known
/// @param batches its batches, likewise
/// @param digest the digest of these rows
/// @param resumedAfter how many batches earlier runs have had
/// @param isWhole whether these rows are all of them
record EpochReport(
    LoaderStats stats,
    double seconds,
    long rows,
    long batches,
    RowDigest digest,
    long resumedAfter,
    boolean isWhole) {
  double rowsPerSecond() {
    return seconds > 0 ? stats.rows() / seconds : 0;
  }

  double waitSeconds() {
    return stats.waitNanos() / 1e9;
  }
}
