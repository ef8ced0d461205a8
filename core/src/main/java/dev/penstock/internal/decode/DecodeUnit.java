package dev.penstock.internal.decode;

import dev.penstock.internal.columns.ColumnGroup;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.RunPlace;
import dev.penstock.internal.slices.Rows;

/// The work that a worker takes at a time: some columns of a run.
///
/// @param index the run's number in the epoch
public record DecodeUnit(int index, Run run, ColumnGroup group) {
  /// Returns the place after the first `count` of some rows of the unit.
  public RunPlace placeBehind(Rows rows, int count) {
    return count == rows.count()
        ? new RunPlace(index, rows.end(), rows.rowsBeforeEnd())
        : new RunPlace(index, rows.fileRow(count), rows.rowsBefore(count));
  }
}
