package dev.penstock.internal.plan;

import java.util.List;

/// Rows that are delivered one after another. One worker decodes them from start to end, or a few
/// workers share them by columns.
///
/// Its rows are those of a file or of a window, and are read in order.
public sealed interface Run permits RowRun, WindowRun {
  long firstRow();

  /// Returns how many rows there are before a filter, at least 1.
  long rowCount();

  default long endRow() {
    return firstRow() + rowCount();
  }

  /// Returns how many rows of the first transform result, or of a composed window, are left out: 0,
  /// unless an epoch stopped within that result.
  long behind();

  /// Returns the rows of files that it consists of, in order.
  List<RowRun> parts();

  /// Returns the rows of files among which its rows are; not empty.
  default List<RowRun> reads() {
    return parts();
  }

  /// Returns whether the rows after it are in a row group of which it has some rows, so that the
  /// row group should not be decompressed anew for them. True only for windows.
  default boolean goesOn() {
    return false;
  }

  /// Returns whether one worker reads all windows of a row group, so that it is decompressed once.
  default boolean isOfOneWorker() {
    return false;
  }

  /// Returns whether one worker should read all windows of its row group if it can go on reading
  /// from one to the next.
  default boolean isBestReadOn() {
    return false;
  }

  default boolean isDelivered() {
    return true;
  }

  /// Returns whether each of its rows is delivered, so that their number is known.
  default boolean isCounted() {
    return RowRun.areWhole(parts());
  }
}
