package dev.penstock.internal.plan;

/// How an epoch ends.
///
/// @param multiple rows that do not make up a multiple of this many are left out at the end
/// @param rowsMax the most rows to deliver; rows after them are left out. Until all rows are
///   counted, this many are expected
/// @param batchesMin batches to deliver at least; where rows do not suffice, empty ones
/// @param isPromised whether `batchesMin` was promised whatever a filter keeps: then it is the
///   number of batches, and too few rows are an error
public record EpochEnd(int multiple, long rowsMax, long batchesMin, boolean isPromised) {
  /// Returns the end of an epoch that delivers all rows, rounded down to a multiple.
  public static EpochEnd of(int multiple) {
    return new EpochEnd(multiple, Long.MAX_VALUE, 0, false);
  }

  /// Returns the end of an epoch with a promised number of batches.
  public static EpochEnd promised(long batches, int multiple) {
    return new EpochEnd(multiple, Long.MAX_VALUE, batches, true);
  }

  /// Returns the same end, with `rowsMax` set to the rows of the promised batches.
  public EpochEnd inBatchesOf(int batchSize) {
    boolean isCountable = batchesMin <= Long.MAX_VALUE / batchSize; // else too few rows anyway
    return isPromised && isCountable
        ? new EpochEnd(multiple, batchesMin * batchSize, batchesMin, true)
        : this;
  }

  public long rows(long total) {
    long most = Math.min(total, rowsMax);
    return most - most % multiple;
  }
}
