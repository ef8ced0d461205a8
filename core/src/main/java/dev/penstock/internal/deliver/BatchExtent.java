package dev.penstock.internal.deliver;

import dev.penstock.internal.plan.EpochEnd;

/// How many rows an epoch delivers, as far as that is known.
///
/// Immutable.
///
/// @param rows the most rows to deliver; [Long#MAX_VALUE] where nothing is known. Of an epoch that
///   was stopped, as known before
record BatchExtent(long rows, boolean isCounted, boolean isCancelled) {
  static final BatchExtent UNKNOWN = new BatchExtent(Long.MAX_VALUE, false, false);

  /// @param total the rows of all runs; -1 if they are not known yet
  BatchExtent counted(EpochEnd end, long total) {
    if (isCancelled) {
      return this;
    }
    boolean isKnown = total >= 0;
    return new BatchExtent(isKnown ? end.rows(total) : end.rowsMax(), isKnown, false);
  }

  BatchExtent cancelled() {
    return new BatchExtent(rows, false, true);
  }

  boolean isBehind(long place) {
    return place >= rows;
  }

  /// Returns whether it is known how many rows are expected.
  boolean isBounded() {
    return rows != Long.MAX_VALUE;
  }
}
