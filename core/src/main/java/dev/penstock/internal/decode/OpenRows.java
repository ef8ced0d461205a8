package dev.penstock.internal.decode;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.matches.KnownRange;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.split.PrunedRows.Level;
import dev.penstock.split.RowRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The rows of a run that may match a filter, from what the open file says of its row groups and
/// pages, or from an earlier test of the rows.
///
/// @param ranges rows of the run, ascending and apart from each other; no other row matches
/// @param known which rows match; null where rows have to be tested
/// @param byBloomFilters rows of the run that bloom filters rule out
/// @param byPageIndex rows among the others that page indexes rule out
record OpenRows(
    List<RowRange> ranges, @Nullable KnownRange known, long byBloomFilters, long byPageIndex) {
  private interface Lookup {
    OpenGroups.@Nullable Left of(int rowGroup, long firstRow) throws IOException;
  }

  static OpenRows of(RowRun run, StorageFile file, FilterMemo findings) throws IOException {
    OpenGroups groups = findings.groups();
    return of(
        run, findings, (group, start) -> groups.find(run.file(), group, run.rest(), start, file));
  }

  /// Finds the rows as far as possible without reading.
  static OpenRows known(RowRun run, FilterMemo findings) throws IOException {
    return of(run, findings, (group, _) -> findings.groups().known(run.file(), group));
  }

  private static OpenRows of(RowRun run, FilterMemo findings, Lookup groups) throws IOException {
    List<RowRange> ranges = new ArrayList<>();
    long byBloomFilters = 0;
    long byPageIndex = 0;
    long start = 0;
    List<RowGroup> all = run.file().rowGroups();
    for (int group = 0; group < all.size(); group++) {
      long end = start + all.get(group).rowCount();
      long asked = common(start, end, run);
      if (asked > 0) {
        OpenGroups.Left left = groups.of(group, start);
        long open = 0;
        for (RowRange rows :
            left == null ? List.of(new RowRange(start, end - start)) : left.rows()) {
          long count = common(rows.offset(), rows.end(), run);
          if (count > 0) {
            ranges.add(new RowRange(Math.max(rows.offset(), run.firstRow()), count));
            open += count;
          }
        }
        boolean ruledOut = left != null && left.ruledOut();
        byBloomFilters += ruledOut ? asked : 0;
        byPageIndex += ruledOut ? 0 : asked - open;
      }
      start = end;
    }
    KnownRange known = findings.matches().rows(run.file().location(), run.firstRow(), run.endRow());
    return new OpenRows(
        known == null ? ranges : known.trim(ranges), known, byBloomFilters, byPageIndex);
  }

  /// Returns how many rows of `[first, end)` are in a run; 0 or less if there are none.
  private static long common(long first, long end, RowRun run) {
    return Math.min(end, run.endRow()) - Math.max(first, run.firstRow());
  }

  /// Returns the rows that a reader has to cover to read all open rows from `row` on.
  Optional<RowRange> span(long row) {
    for (RowRange range : ranges) {
      if (range.end() > row) {
        long first = Math.max(row, range.offset());
        return Optional.of(new RowRange(first, ranges.getLast().end() - first));
      }
    }
    return Optional.empty();
  }

  void count(long rows, SkipCounter skips) {
    skips.add(Level.BLOOM_FILTER, byBloomFilters);
    skips.add(Level.PAGE_INDEX, byPageIndex);
    skips.addTested(rows - byBloomFilters - byPageIndex);
  }
}
