package dev.penstock.internal.pipeline;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.plan.RowRun;
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
  private final OpenGroups groups;
  private final List<RowRange> ranges = new ArrayList<>();
  private long byBloomFilters;
  private long byPageIndex;

  private OpenRows(RowRun run, StorageFile file, OpenGroups groups) {
    this.run = run;
    this.file = file;
    this.groups = groups;
  }

  /// Finds them.
  ///
  /// @param run the run
  /// @param file its open file
  /// @param groups knows what was found before
  static OpenRows of(RowRun run, StorageFile file, OpenGroups groups) throws IOException {
    OpenRows open = new OpenRows(run, file, groups);
    open.find();
    return open;
  }

  /// Returns the rows that may match.
  ///
  /// @return rows of the run, ascending and apart from each other; no other row matches
  List<RowRange> ranges() {
    return ranges;
  }

  /// Returns where a reader has to be, to read all of them that are not before a row.
  ///
  /// @param row a row of the run
  /// @return the rows from the first of them to the last; all from `row` on if there is none
  RowRange span(long row) {
    for (RowRange range : ranges) {
      if (range.end() > row) {
        long first = Math.max(row, range.offset());
        return new RowRange(first, ranges.getLast().end() - first);
      }
    }
    return new RowRange(row, run.endRow() - row);
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
    List<RowGroup> all = run.file().rowGroups();
    for (int group = 0; group < all.size(); group++) {
      long end = start + all.get(group).rowCount();
      long from = Math.max(start, run.firstRow());
      long to = Math.min(end, run.endRow());
      if (from < to) {
        find(group, start, new RowRange(from, to - from));
      }
      start = end;
    }
  }

  private void find(int group, long start, RowRange wanted) throws IOException {
    OpenGroups.Left open = groups.find(run.file(), group, run.rest(), start, file);
    if (open.ruledOut()) {
      byBloomFilters += wanted.length();
      return;
    }
    long left = 0;
    for (RowRange range : open.rows()) {
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
