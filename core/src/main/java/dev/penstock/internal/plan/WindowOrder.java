package dev.penstock.internal.plan;

/// In which order the rows of a window are delivered.
public sealed interface WindowOrder {
  /// As they are read.
  record Kept() implements WindowOrder {}

  /// In random order, which depends only on the seed, the epoch and the window's number.
  record Shuffled() implements WindowOrder {}

  /// As a mixture has them.
  ///
  /// @param mixing the mixture
  /// @param firstRow the row of the mixture at the window's first place
  /// @param rows how many rows the whole window has
  /// @param isShuffled whether rows of a source are in random order, as in [Shuffled]; false where
  ///   they keep theirs, so that the window need not be in memory as a whole
  record Mixed(Mixing mixing, long firstRow, long rows, boolean isShuffled)
      implements WindowOrder {}

  /// Rows from anywhere, each at its place.
  ///
  /// @param order says which row is at which place
  /// @param firstPlace the window's first place
  /// @param rows how many places it has
  record Global(GlobalOrder order, long firstPlace, long rows) implements WindowOrder {}

  /// By the pile that each row goes to, for the first of two passes, see [PilePlaces].
  ///
  /// @param firstNumber the number of the window's first row that matches, in [TableOrder]
  record Piled(long firstNumber) implements WindowOrder {}
}
