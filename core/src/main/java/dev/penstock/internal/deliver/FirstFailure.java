package dev.penstock.internal.deliver;

import org.jspecify.annotations.Nullable;

/// The failure that the consumer gets: that of the first row that cannot be delivered, and within
/// the row that of its first group. So the error does not depend on which worker was faster.
///
/// Immutable.
///
/// @param run the first run that failed, as far as known; it and later runs are not counted
/// @param group the part of the row that failed
/// @param position the row's place in the sequence
/// @param cause why; null where nothing has failed
record FirstFailure(int run, int group, long position, @Nullable Throwable cause) {
  /// Nothing has failed.
  static final FirstFailure NONE = new FirstFailure(Integer.MAX_VALUE, 0, Long.MAX_VALUE, null);

  /// Returns whether anything has failed.
  boolean isThere() {
    return cause != null;
  }

  /// Returns whether part of a row is still wanted. Rows after the failed one are not. Of the
  /// failed row, the parts before the failed part are: if one of them fails too, its failure counts
  /// instead.
  boolean wants(int ofGroup, long at) {
    return at < position || (at == position && ofGroup < group);
  }

  /// Returns the first of this and another failure.
  FirstFailure or(FirstFailure other) {
    return wants(other.group, other.position)
        ? new FirstFailure(Math.min(run, other.run), other.group, other.position, other.cause)
        : this;
  }
}
