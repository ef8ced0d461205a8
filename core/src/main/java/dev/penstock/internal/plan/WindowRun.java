package dev.penstock.internal.plan;

import dev.penstock.storage.Location;
import java.util.List;

/// A window of the sequence, whose rows are delivered in another order than they are read, or of
/// which a composition makes other rows.
///
/// It has a place for each of its rows in that order, or for each thing that is made of them; with
/// a filter, the last places of a shuffled window stay empty. Rows that a transform adds come after
/// them, and belong to the last place.
///
/// @param parts the rows of files, those of each dataset in the order of its sequence; none for
///   [WindowOrder.Placed], whose rows are found when they are read
/// @param rowCount how many places from there
/// @param behind how many of the rows at the first place are left out
public record WindowRun(
    List<RowRun> parts, WindowOrder order, long number, long firstRow, long rowCount, long behind)
    implements Run {
  /// How many windows may open a row group anew, before one worker had better read them all.
  private static final int OPENED_MAX = 8;

  public WindowRun {
    parts = List.copyOf(parts);
  }

  static WindowRun of(List<RowRun> parts, WindowOrder order, long number, long rows) {
    return new WindowRun(parts, order, number, 0, rows, 0);
  }

  @Override
  public boolean goesOn() {
    return order.goesOn(parts);
  }

  @Override
  public boolean isCounted() {
    return order.isCounted(parts);
  }

  @Override
  public boolean isOfOneWorker() {
    return order.isOfOneWorker();
  }

  @Override
  public boolean isBestReadOn() {
    return parts.stream()
        .anyMatch(part -> {
          long rows = part.rowsToReadOn();
          return rows > 0 && rows / OPENED_MAX > rowsOf(part.source());
        });
  }

  private long rowsOf(int source) {
    return parts.stream().filter(part -> part.source() == source).mapToLong(RowRun::rowCount).sum();
  }

  @Override
  public boolean isDelivered() {
    return order.isDelivered();
  }

  @Override
  public List<RowRun> reads() {
    return order.reads(parts);
  }

  public long rowsInAll() {
    return order.rows(parts);
  }

  private WindowRun with(WindowOrder other, long from, long count, long left) {
    return new WindowRun(parts, other, number, from, count, left);
  }

  /// Returns some of its places, counted from [#firstRow()].
  WindowRun slice(long from, long to) {
    return with(order, firstRow + from, to - from, from == 0 ? behind : 0);
  }

  /// Returns the same places without some rows of the first one.
  WindowRun behind(long rows) {
    return with(order, firstRow, rowCount, rows);
  }

  /// Returns how many rows of the window come before one of them, as they are read.
  public long offset(Location file, long row) {
    long before = 0;
    for (RowRun part : parts) {
      boolean isIn = part.file().info().location().equals(file);
      if (isIn && row >= part.firstRow() && row < part.endRow()) {
        return before + row - part.firstRow();
      }
      before += part.rowCount();
    }
    throw new IllegalStateException("Row " + row + " of " + file + " is not in the window.");
  }

  /// Returns the same window, composed, see [WindowOrder.Composed].
  WindowRun composed(boolean isContinued) {
    return with(new WindowOrder.Composed(order, isContinued), firstRow, rowCount, behind);
  }

  /// Returns all rows of a composed window as the composition is given them.
  public WindowRun asRead(WindowOrder.Composed composed) {
    return of(parts, composed.asRead(), number, rowsInAll());
  }

  /// Returns the same window, which knows where its places are in the shares of ranks; if it is
  /// counted and whole. One that was cut keeps what it knows.
  ///
  /// @param all how many places ranks are dealt
  /// @param from which of these is the first of the window
  WindowRun in(Dealing dealing, long all, long from) {
    return order instanceof WindowOrder.Composed composed && rowCount == composed.made()
        ? with(composed.in(BatchSteps.of(dealing, all, from, from + rowCount)), 0, rowCount, 0)
        : this;
  }

  /// Returns the same window with a place for each thing that is made of it, if it is composed.
  WindowRun counted(WindowCounts counts) {
    WindowOrder counted = order.counted(counts.made(number));
    if (counted.equals(order)) {
      return this;
    }
    long first = counts.madeOf(number, behind);
    return with(counted, first, counts.made(number) - first, 0);
  }
}
