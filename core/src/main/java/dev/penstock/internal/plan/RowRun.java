package dev.penstock.internal.plan;

import dev.penstock.format.RowGroup;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Plan;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Rows of one file that one worker decodes from start to end.
///
/// A FileSplit is cut into runs at row group edges, so that several workers can decode one file;
/// small neighbouring row groups share a run.
///
/// @param file the file
/// @param firstRow the first row, counted from 0 in the file
/// @param rowCount how many rows, at least 1
public record RowRun(TableFile file, long firstRow, long rowCount) {
  /// Row groups are joined until a run has this many rows.
  private static final long RUN_ROWS_MIN = 16_384;

  /// Returns the row behind the last one.
  ///
  /// @return the row, counted from 0 in the file
  public long endRow() {
    return firstRow + rowCount;
  }

  /// Cuts a plan into runs.
  ///
  /// @param plan the plan
  /// @param table the files it is about
  /// @return the runs in the order of the sequence
  public static List<RowRun> of(Plan plan, Table table) {
    Map<Location, TableFile> files = table.byLocation();
    List<RowRun> runs = new ArrayList<>();
    for (FileSplit split : plan.sequence()) {
      TableFile file = files.get(split.file().location());
      if (file == null) {
        throw new IllegalStateException("No file for " + split);
      }
      cut(split, file, runs);
    }
    return runs;
  }

  private static void cut(FileSplit split, TableFile file, List<RowRun> runs) {
    long start = split.firstRow();
    long groupEnd = 0;
    // The table's own row groups: a strategy may have made its file infos itself.
    for (RowGroup group : file.info().rowGroups()) {
      groupEnd += group.rowCount();
      long end = Math.min(groupEnd, split.endRow());
      if (end - start >= RUN_ROWS_MIN || (end == split.endRow() && end > start)) {
        runs.add(new RowRun(file, start, end - start));
        start = end;
      }
    }
  }
}
