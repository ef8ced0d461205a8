package dev.penstock.internal.deliver;

import dev.penstock.internal.columns.PartialBatch;
import org.jspecify.annotations.Nullable;

/// The failure that the consumer gets: that of the first row that cannot be delivered, and within
/// the row that of its first group. So the error does not depend on which worker was faster.
///
/// Immutable.
///
/// @param run the first run that failed, as far as known; it and later runs are not counted
/// @param cause why; null where nothing has failed
record FirstFailure(int run, int group, long position, @Nullable Throwable cause) {
  static final FirstFailure NONE = new FirstFailure(Integer.MAX_VALUE, 0, Long.MAX_VALUE, null);

  boolean isThere() {
    return cause != null;
  }

  /// Returns whether part of a row is still wanted. Rows after the failed one are not. Of the
  /// failed row, the parts before the failed part are: if one of them fails too, its failure counts
  /// instead.
  boolean wants(int ofGroup, long at) {
    return at < position || (at == position && ofGroup < group);
  }

  FirstFailure or(FirstFailure other) {
    return wants(other.group, other.position)
        ? new FirstFailure(Math.min(run, other.run), other.group, other.position, other.cause)
        : this;
  }

  /// Returns whether nothing before it can fail any more: all of that is in the next batch to take.
  ///
  /// @param start the batch's first place
  /// @param batch null if it is not being filled
  boolean isReached(long start, int batchSize, int groups, @Nullable PartialBatch batch) {
    if (!isThere() || position >= start + batchSize) {
      return false;
    }
    int row = (int) Math.max(-1, position - start);
    for (int before = 0; before < groups; before++) {
      int end = before < group ? row + 1 : row;
      if (end > 0 && (batch == null || !batch.hasRowsBefore(end, before))) {
        return false;
      }
    }
    return true;
  }
}
