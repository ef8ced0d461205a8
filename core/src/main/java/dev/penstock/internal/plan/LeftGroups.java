package dev.penstock.internal.plan;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.filter.Condition;
import dev.penstock.split.RowRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The row groups of a file, and the part of the filter that is left to test in each.
///
/// Immutable; share it freely among threads.
final class LeftGroups {
  private final List<Condition> rests;
  private final long[] ends; // the row after each group

  LeftGroups(List<RowGroup> groups, List<Condition> rests) {
    this.rests = List.copyOf(rests);
    this.ends = new long[groups.size()];
    long end = 0;
    for (int i = 0; i < ends.length; i++) {
      end += groups.get(i).rowCount();
      ends[i] = end;
    }
  }

  boolean isNever(int group) {
    return rests.get(group).isNever();
  }

  /// Rows of one row group.
  record Part(RowRange rows, Condition rest) {}

  /// Cuts rows where row groups end; `endRow` is the one after the last. Looks only at row groups
  /// in the range: a file may have thousands, each in its own FileSplit.
  List<Part> parts(long firstRow, long endRow) {
    List<Part> parts = new ArrayList<>();
    long from = firstRow;
    int found = Arrays.binarySearch(ends, from);
    int group = found < 0 ? -found - 1 : found + 1; // the others that end there are empty
    for (; group < ends.length && from < endRow; group++) {
      long to = Math.min(ends[group], endRow);
      if (from < to) {
        parts.add(new Part(new RowRange(from, to - from), rests.get(group)));
        from = to;
      }
    }
    return parts;
  }
}
