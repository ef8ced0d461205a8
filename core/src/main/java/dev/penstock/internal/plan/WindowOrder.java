package dev.penstock.internal.plan;

/// In which order the rows of a window are delivered.
public sealed interface WindowOrder {
  /// As they are read.
  record Kept() implements WindowOrder {}

  /// In random order, which depends only on the seed, the epoch and the window's number.
  ///
  /// @param number the window's number in its rank's share, from 0
  record Shuffled(long number) implements WindowOrder {}

  /// As a mixture has them.
  ///
  /// @param mixing the mixture
  /// @param firstRow the row of the mixture at the window's first place
  /// @param rows how many rows the whole window has
  /// @param number as in [Shuffled], by which the rows of each source are in random order; -1 where
  ///   they keep theirs, so that the window need not be in memory as a whole
  record Mixed(Mixing mixing, long firstRow, long rows, long number) implements WindowOrder {
    /// Returns whether rows of a source are in random order.
    ///
    /// @return true if all rows of the window have to be read before the first is delivered
    public boolean isShuffled() {
      return number >= 0;
    }
  }
}
