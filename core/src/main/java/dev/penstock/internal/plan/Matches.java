package dev.penstock.internal.plan;

import dev.penstock.internal.table.TableFile;
import dev.penstock.spi.format.RowSet;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The rows of a table that match its filter, found by reading, so that they can be counted before
/// an epoch reads them.
///
/// Immutable; share it freely among threads.
public final class Matches {
  /// Neighbouring rows of a file. Rows between two stretches do not match.
  ///
  /// @param before the number of matches in the file before them
  /// @param some which of them match; empty where all do
  private record Stretch(long firstRow, long rowCount, long before, Optional<RowSet> some) {
    long count() {
      return some.map(RowSet::count).orElse(rowCount);
    }

    long before(long row) {
      return before
          + (row >= firstRow + rowCount
              ? count()
              : some.map(rows -> rows.before(row)).orElse(row - firstRow));
    }

    long row(long match) {
      return some.map(rows -> rows.row(match - before)).orElse(firstRow + match - before);
    }
  }

  /// No row, for a filter of which nobody asks what matches.
  public static final Matches NONE = new Matches(List.of(), List.of());

  private static final int COPIED_ROWS = 1 << 12;

  private final Map<Location, List<Stretch>> files = new HashMap<>();
  private long rows;

  /// Joins what was found in all runs that may match, in the order of each file.
  ///
  /// @param found for each run, which of its rows match; empty where the filter keeps all
  public Matches(List<RowRun> runs, List<Optional<RowSet>> found) {
    for (int i = 0; i < runs.size(); i++) {
      RowRun run = runs.get(i);
      List<Stretch> file =
          files.computeIfAbsent(run.file().info().location(), _ -> new ArrayList<>());
      long before = file.isEmpty() ? 0 : file.getLast().before() + file.getLast().count();
      Stretch next = new Stretch(run.firstRow(), run.rowCount(), before, found.get(i));
      file.add(next);
      rows += next.count();
    }
  }

  public long rows() {
    return rows;
  }

  /// Returns how many rows of a file match before one of its rows, or before its end.
  public long before(TableFile file, long row) {
    List<Stretch> stretches = files.getOrDefault(file.info().location(), List.of());
    int low = -1;
    int high = stretches.size() - 1;
    while (low < high) { // the last stretch that starts before the row
      int middle = (low + high + 1) >>> 1;
      if (stretches.get(middle).firstRow() < row) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low < 0 ? 0 : stretches.get(low).before(row);
  }

  /// Returns which rows of a file match, as a finished set that covers all of its rows.
  public RowSet of(TableFile file) {
    RowSet rows = new RowSet(0);
    for (Stretch each : files.getOrDefault(file.location(), List.of())) {
      add(each.some(), each.firstRow(), each.firstRow() + each.rowCount(), rows);
    }
    long end = file.info().rows();
    rows.addRange(end, end);
    rows.finish();
    return rows;
  }

  /// Adds those of the rows `[first, end)` that match to a set that covers rows before them, and
  /// covers them.
  ///
  /// @param some which rows match; empty where all do
  public static void add(Optional<RowSet> some, long first, long end, RowSet to) {
    if (some.isPresent() && some.get().count() > 0) {
      RowSet rows = some.get();
      copy(rows, first, Math.min(end, rows.row(rows.count() - 1) + 1), to);
    }
    to.addRange(some.isPresent() ? end : first, end);
  }

  private static void copy(RowSet from, long first, long end, RowSet to) {
    int[] found = new int[COPIED_ROWS + RowSet.ROOM];
    for (long row = first; row < end; row += COPIED_ROWS) {
      int rows = (int) Math.min(COPIED_ROWS, end - row);
      int count = from.between(row, row + rows, found);
      long[] marks = new long[COPIED_ROWS / Long.SIZE];
      for (int i = 0; i < count; i++) {
        marks[found[i] >>> 6] |= 1L << found[i];
      }
      to.addMarked(row, marks, rows);
    }
  }

  public long of(RowRun run) {
    return before(run.file(), run.endRow()) - before(run.file(), run.firstRow());
  }

  /// Returns the row of a match, numbered among the matches of the file from 0.
  public long row(TableFile file, long match) {
    List<Stretch> stretches = files.getOrDefault(file.info().location(), List.of());
    int low = 0;
    int high = stretches.size() - 1;
    while (low < high) { // the last stretch with at most `match` matches before it
      int middle = (low + high + 1) >>> 1;
      if (stretches.get(middle).before() <= match) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return stretches.get(low).row(match);
  }
}
