package dev.penstock.internal.plan;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.filter.Condition;
import dev.penstock.split.RowRange;
import java.util.ArrayList;
import java.util.List;

/// The row groups of a file, and the part of the filter that is left to test in each.
///
/// Immutable; share it freely among threads.
final class LeftGroups {
  private final List<Condition> rests;
  private final long[] ends; // the row after each group

  /// Makes it.
  ///
  /// @param rests what is left to test in each of them
  LeftGroups(List<RowGroup> groups, List<Condition> rests) {
    this.rests = List.copyOf(rests);
    this.ends = new long[groups.size()];
    long end = 0;
    for (int i = 0; i < ends.length; i++) {
      end += groups.get(i).rowCount();
      ends[i] = end;
    }
  }

  /// Returns whether no row of a row group is left.
  boolean isNever(int group) {
    return rests.get(group).isNever();
  }

  /// Rows of one row group.
  ///
  /// @param rows at least one
  /// @param rest what is left to test there
  record Part(RowRange rows, Condition rest) {}

  /// Cuts rows where row groups end. Looks only at row groups in the range: a file may have
  /// thousands, each in its own FileSplit.
  ///
  /// @param endRow the row after the last
  /// @return the parts in order
  List<Part> parts(long firstRow, long endRow) {
    List<Part> parts = new ArrayList<>();
    long from = firstRow;
    for (int group = firstBehind(from); group < ends.length && from < endRow; group++) {
      long to = Math.min(ends[group], endRow);
      if (from < to) {
        parts.add(new Part(new RowRange(from, to - from), rests.get(group)));
        from = to;
      }
    }
    return parts;
  }

  /// Returns the first group that ends after a row.
  private int firstBehind(long row) {
    int low = 0;
    int high = ends.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends[middle] > row) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
