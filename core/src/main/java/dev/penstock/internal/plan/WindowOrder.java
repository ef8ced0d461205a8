package dev.penstock.internal.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is done with the rows of a window, and what follows from that.
public sealed interface WindowOrder {
  /// As they are read.
  record Kept() implements WindowOrder {}

  /// In random order, which depends only on the seed, the epoch and the window's number.
  record Shuffled() implements WindowOrder {}

  /// As a mixture has them.
  ///
  /// @param firstRow the row of the mixture at the window's first place
  /// @param rows how many rows the whole window has
  /// @param isShuffled whether rows of a source are in random order, as in [Shuffled]; false where
  ///   they keep theirs, so that the window need not be in memory as a whole
  record Mixed(Mixing mixing, long firstRow, long rows, boolean isShuffled)
      implements WindowOrder {}

  /// Rows from anywhere, each at its place.
  record Placed(RowPlaces places, long firstPlace, long rows) implements WindowOrder {}

  /// By the pile that each row goes to, for the first of two passes, see [PilePlaces]. The number
  /// is that of the window's first row that matches, in [TablePlaces].
  record Piled(long firstNumber) implements WindowOrder {}

  /// What a composition makes of them.
  ///
  /// @param before the order of the rows that it is given
  /// @param isCounted whether the window has a place for each thing that is made of it: rows, or
  ///   batches where the composition makes whole ones; else all belongs to the first place, because
  ///   it is not known how much it is
  /// @param isContinued whether the next window goes on in this one's row group
  record Composed(WindowOrder before, boolean isCounted, boolean isContinued)
      implements WindowOrder {
    public boolean isShuffled() {
      return before instanceof Shuffled;
    }

    /// Returns the order in which rows are read for the composition.
    WindowOrder asRead() {
      return isShuffled() ? new Kept() : before;
    }
  }

  /// Returns how many rows the whole window has, before a filter and a transform unless it is
  /// mixed.
  ///
  /// @param parts the rows of files
  default long rows(List<RowRun> parts) {
    return switch (this) {
      case Mixed mixed -> mixed.rows();
      case Placed placed -> placed.rows();
      case Composed composed -> composed.before().rows(parts);
      case Kept _, Shuffled _, Piled _ -> parts.stream().mapToLong(RowRun::rowCount).sum();
    };
  }

  /// Returns whether each place has a row, so that their number is known.
  default boolean isCounted(List<RowRun> parts) {
    return switch (this) {
      case Mixed _, Placed _ -> true;
      case Composed composed -> composed.isCounted();
      case Kept _, Shuffled _, Piled _ -> RowRun.areWhole(parts);
    };
  }

  /// Returns whether the next window goes on in a row group of this one.
  default boolean goesOn(List<RowRun> parts) {
    return switch (this) {
      case Mixed _ -> parts.stream().anyMatch(RowRun::endsInsideRowGroup); // each source may
      case Placed _ -> false;
      case Composed composed -> composed.isContinued();
      case Kept _, Shuffled _, Piled _ -> parts.getLast().endsInsideRowGroup();
    };
  }

  /// Returns whether one worker reads all windows of a row group, each with all of its columns, so
  /// that it is decompressed once.
  default boolean isOfOneWorker() {
    return this instanceof Piled || this instanceof Composed;
  }

  default boolean isDelivered() {
    return !(this instanceof Piled);
  }

  /// Returns whether ranks are dealt the window whole, as what is made of it belongs to its first
  /// place.
  default boolean isUncut() {
    return this instanceof Composed composed && !composed.isCounted();
  }

  /// Returns the rows of files among which those of the window are.
  default List<RowRun> reads(List<RowRun> parts) {
    return this instanceof Placed placed ? placed.places().groups() : parts;
  }

  /// Returns which rows of a mixture its rows are; null if there is no mixture.
  default @Nullable Mixed mixed() {
    return switch (this) {
      case Mixed mixed -> mixed;
      case Placed placed -> placed.places().mixed(placed.firstPlace(), placed.rows());
      case Kept _, Shuffled _, Piled _, Composed _ -> null;
    };
  }
}
