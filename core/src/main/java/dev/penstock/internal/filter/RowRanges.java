package dev.penstock.internal.filter;

import dev.penstock.split.RowRange;
import java.util.ArrayList;
import java.util.List;

/// Sets of rows, as ascending ranges that neither touch nor overlap.
final class RowRanges {
  private RowRanges() {}

  static List<RowRange> both(List<RowRange> left, List<RowRange> right) {
    List<RowRange> rows = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < left.size() && j < right.size()) {
      RowRange one = left.get(i);
      RowRange other = right.get(j);
      long from = Math.max(one.offset(), other.offset());
      long to = Math.min(one.end(), other.end());
      if (from < to) {
        rows.add(new RowRange(from, to - from));
      }
      if (one.end() < other.end()) {
        i++;
      } else {
        j++;
      }
    }
    return rows;
  }

  /// Returns the rows that are in either set; each may also have ranges that touch.
  static List<RowRange> either(List<RowRange> left, List<RowRange> right) {
    List<RowRange> rows = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < left.size() || j < right.size()) {
      boolean mine =
          j == right.size() || (i < left.size() && left.get(i).offset() <= right.get(j).offset());
      RowRange next = mine ? left.get(i++) : right.get(j++);
      RowRange last = rows.isEmpty() ? null : rows.getLast();
      if (last != null && next.offset() <= last.end()) {
        long end = Math.max(last.end(), next.end());
        rows.set(rows.size() - 1, new RowRange(last.offset(), end - last.offset()));
      } else {
        rows.add(next);
      }
    }
    return rows;
  }
}
