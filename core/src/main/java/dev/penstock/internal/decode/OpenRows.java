package dev.penstock.internal.decode;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.slices.KnownRows;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.split.PrunedRows.Level;
import dev.penstock.split.RowRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Which rows of a run may match a filter: by what its open file says of its row groups and pages,
/// and where they were tested before, by that.
///
/// @param ranges rows of the run, ascending and apart from each other; no other row matches
/// @param known which rows match; null where that has to be tested
/// @param byBloomFilters rows of the run that bloom filters rule out
/// @param byPageIndex rows of the others that page indexes rule out
record OpenRows(
    List<RowRange> ranges, @Nullable KnownRows known, long byBloomFilters, long byPageIndex) {
  private interface Lookup {
    OpenGroups.@Nullable Left of(int rowGroup, long firstRow) throws IOException;
  }

  /// Finds them.
  ///
  /// @param run the run
  /// @param file its open file
  /// @param findings what was found before
  static OpenRows of(RowRun run, StorageFile file, Findings findings) throws IOException {
    OpenGroups groups = findings.groups();
    return of(
        run, findings, (group, start) -> groups.find(run.file(), group, run.rest(), start, file));
  }

  /// Finds them as far as that can be done without reading.
  ///
  /// @param run the run
  /// @param findings what was found before
  static OpenRows known(RowRun run, Findings findings) throws IOException {
    return of(run, findings, (group, _) -> findings.groups().known(run.file(), group));
  }

  private static OpenRows of(RowRun run, Findings findings, Lookup groups) throws IOException {
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
    KnownRows known = findings.matches().rows(run.file().location(), run.firstRow(), run.endRow());
    return new OpenRows(
        known == null ? ranges : known.trim(ranges), known, byBloomFilters, byPageIndex);
  }

  /// Returns how many rows of a range are in a run: none where it is not positive.
  private static long common(long first, long end, RowRun run) {
    return Math.min(end, run.endRow()) - Math.max(first, run.firstRow());
  }

  /// Returns where a reader has to be, to read all of them that are not before a row.
  ///
  /// @param row a row of the run
  /// @return the rows from the first of them to the last
  Optional<RowRange> span(long row) {
    for (RowRange range : ranges) {
      if (range.end() > row) {
        long first = Math.max(row, range.offset());
        return Optional.of(new RowRange(first, ranges.getLast().end() - first));
      }
    }
    return Optional.empty();
  }

  /// Counts what was left out of the run.
  ///
  /// @param rows the rows of the run that do not match
  void count(long rows, SkipCounter skips) {
    skips.add(Level.BLOOM_FILTER, byBloomFilters);
    skips.add(Level.PAGE_INDEX, byPageIndex);
    skips.addTested(rows - byBloomFilters - byPageIndex);
  }
}
