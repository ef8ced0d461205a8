package dev.penstock.internal.pipeline;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.filter.Pruner;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.TableFile;
import dev.penstock.split.PrunedRows.Level;
import dev.penstock.split.RowRange;
import dev.penstock.storage.StorageFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Finds the rows of a run that may match, with what the open file says of its row groups and
/// pages.
final class OpenRows {
  private final RowRun run;
  private final StorageFile file;
  private final List<RowRange> ranges = new ArrayList<>();
  private long byBloomFilters;
  private long byPageIndex;

  private OpenRows(RowRun run, StorageFile file) {
    this.run = run;
    this.file = file;
  }

  /// Finds them.
  ///
  /// @param run the run
  /// @param file its open file
  static OpenRows of(RowRun run, StorageFile file) throws IOException {
    OpenRows open = new OpenRows(run, file);
    open.find();
    return open;
  }

  /// Returns the rows that may match.
  ///
  /// @return rows of the run, ascending and apart from each other; no other row matches
  List<RowRange> ranges() {
    return ranges;
  }

  /// Counts what was left out of the run.
  ///
  /// @param rows the rows of the run that do not match
  void count(long rows, SkipCounter skips) {
    skips.add(Level.BLOOM_FILTER, byBloomFilters);
    skips.add(Level.PAGE_INDEX, byPageIndex);
    skips.addTested(rows - byBloomFilters - byPageIndex);
  }

  private void find() throws IOException {
    long start = 0;
    List<RowGroup> groups = run.file().rowGroups();
    for (int group = 0; group < groups.size(); group++) {
      long end = start + groups.get(group).rowCount();
      long from = Math.max(start, run.firstRow());
      long to = Math.min(end, run.endRow());
      if (from < to) {
        find(group, new RowRange(start, end - start), new RowRange(from, to - from));
      }
      start = end;
    }
  }

  private void find(int group, RowRange all, RowRange wanted) throws IOException {
    TableFile table = run.file();
    Condition rest = run.rest();
    if (!Pruner.mayMatch(rest, column -> table.bloomFilter(file, group, column))) {
      byBloomFilters += wanted.length();
      return;
    }
    List<RowRange> open =
        Pruner.rows(rest, all, column -> table.pageStatistics(file, group, column));
    long left = 0;
    for (RowRange range : open) {
      long from = Math.max(range.offset(), wanted.offset());
      long to = Math.min(range.end(), wanted.end());
      if (from < to) {
        ranges.add(new RowRange(from, to - from));
        left += to - from;
      }
    }
    byPageIndex += wanted.length() - left;
  }
}
