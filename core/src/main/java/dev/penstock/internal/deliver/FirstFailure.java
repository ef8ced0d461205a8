package dev.penstock.internal.deliver;

import org.jspecify.annotations.Nullable;

/// The failure that the consumer is told: of all rows that cannot be delivered, that of the first
/// one; of the parts of that row, that of the first group. So the error does not depend on which
/// worker was faster.
///
/// A value; it knows no threads.
///
/// @param run the first run known to have failed; no run from there on is counted any more
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

  /// Returns whether part of a row is wanted still. Rows behind the failed one are not; of the
  /// failed one, those parts are that come before the failed part: if one of them fails too, its
  /// failure counts.
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
