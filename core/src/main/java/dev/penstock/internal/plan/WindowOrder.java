package dev.penstock.internal.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is done with the rows of a window, and what follows from that.
public sealed interface WindowOrder {
  /// Returns how many rows the whole window has, before a filter and a transform unless it is
  /// mixed.
  default long rows(List<RowRun> parts) {
    return parts.stream().mapToLong(RowRun::rowCount).sum();
  }

  /// Returns whether each place has a row, so that their number is known.
  default boolean isCounted(List<RowRun> parts) {
    return RowRun.areWhole(parts);
  }

  /// Returns whether the next window goes on in a row group of this one.
  default boolean goesOn(List<RowRun> parts) {
    return parts.getLast().endsInsideRowGroup();
  }

  /// Returns whether one worker reads all windows of a row group, each with all of its columns, so
  /// that it is decompressed once.
  default boolean isOfOneWorker() {
    return false;
  }

  /// Returns whether its rows go to batches.
  default boolean isDelivered() {
    return true;
  }

  /// Returns whether ranks are dealt the window whole, as what is made of it belongs to its first
  /// place.
  default boolean isUncut() {
    return false;
  }

  /// Returns whether rows are shuffled before a composition gets them.
  default boolean isShuffledBefore() {
    return false;
  }

  /// Returns the same with a place for each of the `made` things that are made of the window, if it
  /// is composed.
  default WindowOrder counted(long made) {
    return this;
  }

  /// Returns the rows of files among which those of the window are.
  default List<RowRun> reads(List<RowRun> parts) {
    return parts;
  }

  /// Returns which rows of a mixture its rows are; null if there is no mixture.
  default @Nullable Mixed mixed() {
    return null;
  }

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
  record Mixed(Mixing mixing, long firstRow, long rows, boolean isShuffled) implements WindowOrder {
    @Override
    public long rows(List<RowRun> parts) {
      return rows;
    }

    @Override
    public boolean isCounted(List<RowRun> parts) {
      return true;
    }

    /// Each source may go on.
    @Override
    public boolean goesOn(List<RowRun> parts) {
      return parts.stream().anyMatch(RowRun::endsInsideRowGroup);
    }

    @Override
    public Mixed mixed() {
      return this;
    }
  }

  /// Rows from anywhere, each at its place.
  ///
  /// @param firstPlace the window's first place
  record Placed(RowPlaces places, long firstPlace, long rows) implements WindowOrder {
    @Override
    public long rows(List<RowRun> parts) {
      return rows;
    }

    @Override
    public boolean isCounted(List<RowRun> parts) {
      return true;
    }

    @Override
    public boolean goesOn(List<RowRun> parts) {
      return false;
    }

    @Override
    public List<RowRun> reads(List<RowRun> parts) {
      return places.groups();
    }

    @Override
    public @Nullable Mixed mixed() {
      return places.mixed(firstPlace, rows);
    }
  }

  /// By the pile that each row goes to, for the first of two passes, see [PilePlaces].
  ///
  /// @param firstNumber the number of the window's first row that matches, in [TablePlaces]
  record Piled(long firstNumber) implements WindowOrder {
    @Override
    public boolean isOfOneWorker() {
      return true;
    }

    @Override
    public boolean isDelivered() {
      return false;
    }
  }

  /// What a composition makes of them.
  ///
  /// @param made how much is made of the window, each with a place: rows, or batches where the
  ///   composition makes whole ones; [#UNCOUNTED] if that is not known, and all belongs to the
  ///   first place
  /// @param isContinued whether the next window goes on in this one's row group
  /// @param steps where its places are in the shares of ranks; null where that does not matter
  record Composed(WindowOrder before, long made, boolean isContinued, @Nullable BatchSteps steps)
      implements WindowOrder {
    static final long UNCOUNTED = -1;

    Composed(WindowOrder before, boolean isContinued) {
      this(before, UNCOUNTED, isContinued, null);
    }

    Composed in(BatchSteps others) {
      return new Composed(before, made, isContinued, others);
    }

    boolean isCounted() {
      return made != UNCOUNTED;
    }

    @Override
    public long rows(List<RowRun> parts) {
      return before.rows(parts);
    }

    @Override
    public boolean isCounted(List<RowRun> parts) {
      return isCounted();
    }

    @Override
    public boolean goesOn(List<RowRun> parts) {
      return isContinued;
    }

    @Override
    public boolean isOfOneWorker() {
      return true;
    }

    @Override
    public boolean isUncut() {
      return !isCounted();
    }

    @Override
    public boolean isShuffledBefore() {
      return before instanceof Shuffled;
    }

    @Override
    public @Nullable Mixed mixed() {
      return before.mixed();
    }

    @Override
    public WindowOrder counted(long number) {
      return new Composed(before, number, isContinued, steps);
    }

    /// Returns the order in which rows are read for the composition.
    WindowOrder asRead() {
      return isShuffledBefore() ? new Kept() : before;
    }
  }
}
