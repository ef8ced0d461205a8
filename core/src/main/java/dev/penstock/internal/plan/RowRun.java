package dev.penstock.internal.plan;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.plan.LeftGroups.Part;
import dev.penstock.internal.table.TableFile;
import dev.penstock.split.FileSplit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rows of one file that one worker decodes from start to end.
///
/// A FileSplit is cut into runs at row group edges, so that several workers can decode one file;
/// small neighbouring row groups share a run. Row groups without a matching row are left out.
///
/// @param source the number of the dataset that the file is of, 0 where there is one
/// @param firstRow the first row, counted from 0 in the file
/// @param rowCount how many rows, at least 1
/// @param rest the part of the filter to test for each row
/// @param behind how many rows of the first transform result are left out
public record RowRun(
    int source, TableFile file, long firstRow, long rowCount, Condition rest, long behind)
    implements Run {
  /// Row groups are joined until a run has this many rows, if nothing else is said.
  static final int ROWS_MIN = 16_384;

  @Override
  public List<RowRun> parts() {
    return List.of(this);
  }

  /// Returns whether it is known that the filter keeps all rows.
  static boolean areWhole(List<RowRun> parts) {
    return parts.stream().allMatch(part -> part.rest().isAlways());
  }

  /// Returns whether rows of the last row group are left out at its end.
  public boolean endsInsideRowGroup() {
    return rowsOfOpenGroup() > 0;
  }

  /// Returns the rows of the row group that it ends inside of; 0 if it ends with a row group.
  private long rowsOfOpenGroup() {
    long end = 0;
    for (RowGroup group : file.info().rowGroups()) {
      end += group.rowCount();
      if (end >= endRow()) {
        return end > endRow() ? group.rowCount() : 0;
      }
    }
    return 0;
  }

  /// Returns the rows of the row group that it ends inside of, if workers cannot share that by
  /// columns and a reader of all its rows can go on behind it; else 0.
  long rowsToReadOn() {
    return file.isRowMajor() && rest.isAlways() ? rowsOfOpenGroup() : 0;
  }

  /// Returns a run with the same first row and another end.
  public RowRun to(long end) {
    return new RowRun(source, file, firstRow, end - firstRow, rest, behind);
  }

  /// Returns the same rows of the same file with its footer.
  public RowRun in(TableFile loaded) {
    return new RowRun(source, loaded, firstRow, rowCount, rest, behind);
  }

  /// Returns how many of its rows there are.
  ///
  /// @param matches which of the source's rows match; null if all do
  long count(@Nullable Matches matches) {
    return matches == null ? rowCount : matches.of(this);
  }

  /// Gives its rows `[from, to)`, counted as [#count] does.
  void rows(@Nullable Matches matches, long from, long to, RowSink sink) {
    long before = matches == null ? firstRow : matches.before(file, firstRow);
    for (long number = before + from; number < before + to; number++) {
      sink.row(source, file, matches == null ? number : matches.row(file, number));
    }
  }

  /// Finds the numbers of rows, counted as [#count] does, where the first has a number.
  void find(@Nullable Matches matches, long start, ChosenRows wanted, RowFinder.PlaceSink sink) {
    long first = matches == null ? firstRow : matches.before(file, firstRow);
    for (long row : wanted.of(source, file.info().location(), firstRow, endRow())) {
      long number = matches == null ? row : matches.before(file, row);
      if (matches == null || matches.before(file, row + 1) > number) {
        sink.found(new RowFinder.Placed(start + number - first, source, file, row));
      }
    }
  }

  /// Returns the last part that starts at a number or before it.
  ///
  /// @param starts in ascending order the numbers of the first rows of parts that have some, and
  ///   the end
  static int indexOf(long[] starts, long number) {
    int low = 0;
    int high = starts.length - 2;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (starts[middle] <= number) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  RowRun rows(long from, long end) {
    return new RowRun(source, file, from, end - from, rest, 0);
  }

  /// Cuts a FileSplit where row groups end, and adds the parts to a list in order.
  static void addGroups(
      FileSplit split, int source, TableFile file, Pruning pruning, List<RowRun> runs) {
    for (Part part : pruning.groups(file).parts(split.firstRow(), split.endRow())) {
      if (!part.rest().isNever()) {
        long first = part.rows().offset();
        runs.add(new RowRun(source, file, first, part.rows().length(), part.rest(), 0));
      }
    }
  }

  /// Cuts a FileSplit into runs, and adds these to a list in order.
  ///
  /// @param behind see [RowRun], of its first run
  /// @param rowsMin row groups are joined until a run has this many rows
  static void cut(
      FileSplit split,
      long behind,
      int source,
      TableFile file,
      Pruning pruning,
      int rowsMin,
      List<Run> runs) {
    int first = runs.size();
    RowRun open = null;
    // The table's own row groups: a strategy may have made its file infos itself.
    for (Part part : pruning.groups(file).parts(split.firstRow(), split.endRow())) {
      RowRun next =
          new RowRun(source, file, part.rows().offset(), part.rows().length(), part.rest(), 0);
      RowRun joined = joined(open, next);
      if (joined == null && open != null) {
        runs.add(open);
      }
      open = joined == null ? next : joined;
      if (open.rest().isNever()) {
        open = null;
      } else if (open.rowCount() >= rowsMin) {
        runs.add(open);
        open = null;
      }
    }
    if (open != null) {
      runs.add(open);
    }
    if (behind > 0) {
      RowRun run = runs.get(first).parts().getFirst();
      runs.set(first, new RowRun(source, file, run.firstRow(), run.rowCount(), run.rest(), behind));
    }
  }

  private static @Nullable RowRun joined(@Nullable RowRun open, RowRun next) {
    return open != null && open.rest().equals(next.rest())
        ? new RowRun(
            open.source(),
            open.file(),
            open.firstRow(),
            open.rowCount() + next.rowCount(),
            open.rest(),
            0)
        : null;
  }
}
