package dev.penstock.internal.deliver;

import dev.penstock.internal.plan.EpochEnd;

/// How many rows an epoch delivers, as far as that is known.
///
/// Immutable.
sealed interface BatchExtent {
  /// Returns the most rows to deliver; [Long#MAX_VALUE] where nothing is known.
  long rows();

  /// Not all runs are counted yet.
  record Unknown(long rows) implements BatchExtent {}

  /// All rows are counted.
  record Counted(long rows) implements BatchExtent {}

  /// The epoch was stopped.
  ///
  /// @param rows the most rows to deliver, as known before it stopped
  record Cancelled(long rows) implements BatchExtent {}

  /// Returns the extent once a number of rows is known.
  ///
  /// @param total the rows of all runs; -1 if they are not known yet
  default BatchExtent counted(EpochEnd end, long total) {
    return this instanceof Cancelled
        ? this
        : total < 0 ? new Unknown(end.rowsMax()) : new Counted(end.rows(total));
  }

  /// Returns the extent of the epoch when it is stopped.
  default BatchExtent cancelled() {
    return new Cancelled(rows());
  }

  /// Returns whether the epoch was stopped.
  default boolean isCancelled() {
    return this instanceof Cancelled;
  }

  /// Returns whether a place is after all rows.
  default boolean isBehind(long place) {
    return place >= rows();
  }

  /// Returns whether it is known how many rows are expected.
  default boolean isBounded() {
    return rows() != Long.MAX_VALUE;
  }
}
