package dev.penstock.internal.deliver;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.columns.PartialBatch;
import dev.penstock.internal.plan.EpochEnd;
import org.jspecify.annotations.Nullable;

/// Which rows of an epoch are delivered: where each run's are, how many there are, what failed
/// first.
///
/// **Threads.** Under the [DeliveryQueue]'s lock.
final class WantedRows {
  private final int batchSize;
  private final RunStarts starts;
  private final EpochEnd end;
  private BatchExtent extent = BatchExtent.UNKNOWN;
  private FirstFailure failure = FirstFailure.NONE;

  WantedRows(int batchSize, RunStarts starts, EpochEnd end) {
    this.batchSize = batchSize;
    this.starts = starts;
    this.end = end.inBatchesOf(batchSize);
    settle();
  }

  private void settle() {
    extent = extent.counted(end, starts.end(batchSize));
    long batches = batches();
    boolean isBroken = end.isPromised() && batches < end.batchesMin() && !failure.isThere();
    if (isBroken && extent.isCounted()) {
      // The last batch is delivered even if it is short.
      IllegalStateException tooFew =
          Advice.stateError(
              "Cannot deliver %s batches, as %s promises: there are rows for %s. Give a number"
                  + " that every rank has rows for.",
              end.batchesMin(), Remedy.name("stepsPerEpoch"), batches);
      failure = new FirstFailure(Integer.MAX_VALUE, 0, batches * batchSize, tooFew);
    }
  }

  /// Returns whether the place of a run's first row is not known yet, but will be.
  boolean awaitsStart(int run) {
    return starts.start(run) < 0 && !isCancelled() && failure.run() > run;
  }

  boolean count(int run, long count, @Nullable BatchCuts cuts) {
    boolean isNew = starts.count(run, count, cuts);
    settle();
    return isNew;
  }

  void cancel() {
    extent = extent.cancelled();
  }

  boolean isCancelled() {
    return extent.isCancelled();
  }

  /// Returns whether nothing has failed, and the epoch was not stopped.
  boolean isGood() {
    return !isCancelled() && !failure.isThere();
  }

  void fail(FirstFailure other) {
    failure = failure.or(other);
  }

  /// Records the failure of a whole batch at its first row, so that it precedes all later failures.
  void failBatch(long batch, @Nullable Throwable cause) {
    fail(new FirstFailure(0, 0, batch * batchSize, cause));
  }

  boolean isBeforeFailure(long batch) {
    return batch * batchSize < failure.position();
  }

  FirstFailure failure() {
    return failure;
  }

  boolean isFailureReached(long batch, int groups, @Nullable PartialBatch filling) {
    return failure.isReached(batch * batchSize, batchSize, groups, filling);
  }

  boolean isWanted(int group, long position) {
    return !isCancelled() && !extent.isBehind(position) && failure.wants(group, position);
  }

  long rows() {
    return extent.rows();
  }

  private long batches() {
    return Math.ceilDiv(extent.rows(), batchSize);
  }

  /// Returns whether all goes well, and there are, or may be, more than a number of batches.
  boolean isWantedBehind(long batches) {
    return isGood() && !(extent.isBounded() && batches >= batches());
  }

  int rowCount(long batch) {
    return (int) Math.min(starts.rowCount(batch, batchSize), extent.rows() - batch * batchSize);
  }

  /// Returns the end of the places from a batch on that one worker may write without asking again.
  /// Where workers take turns, the next batch is another's, and where batches need not be full, the
  /// next place may be none.
  ///
  /// @param end the first batch that nobody may write
  long writableEnd(long batch, long end) {
    long place =
        starts.isApart(batch, batchSize)
            ? batch * batchSize + starts.rowCount(batch, batchSize)
            : end * batchSize;
    return Math.min(extent.rows(), place);
  }

  /// Returns whether all rows are in batches before one.
  boolean areBefore(long batch) {
    return extent.isBehind(batch * batchSize);
  }

  boolean isBehindEnd(long batch) {
    return areBefore(batch) && batch >= end.batchesMin();
  }

  /// Returns whether a batch is known to come, or to fail.
  boolean isExpected(long batch) {
    return extent.isBounded() && !isBehindEnd(batch);
  }
}
