package dev.penstock.internal.plan;

import dev.penstock.format.RowGroup;
import dev.penstock.split.FileSplit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Lets FileSplits take turns, so that a window holds rows of several.
///
/// A turn is a few row groups. Row groups are not cut, because each cut would make a page of every
/// column be decompressed twice.
final class Interleaving {
  private Interleaving() {}

  /// @param count how many take turns at a time; when one ends, the next one takes its place
  /// @param rows the rows of a turn, rounded up to row groups
  static List<FileSplit> of(List<FileSplit> splits, int count, long rows) {
    List<FileSplit> turns = new ArrayList<>();
    Deque<FileSplit> waiting = new ArrayDeque<>(splits);
    Deque<Deque<FileSplit>> active = new ArrayDeque<>();
    while (!waiting.isEmpty() || !active.isEmpty()) {
      while (active.size() < count && !waiting.isEmpty()) {
        active.add(turns(waiting.remove(), rows));
      }
      Deque<FileSplit> next = active.remove();
      turns.add(next.remove());
      if (!next.isEmpty()) {
        active.add(next);
      } else if (!waiting.isEmpty()) {
        active.add(turns(waiting.remove(), rows));
      }
    }
    return turns;
  }

  private static Deque<FileSplit> turns(FileSplit split, long rows) {
    Deque<FileSplit> turns = new ArrayDeque<>();
    long start = split.firstRow();
    long group = 0;
    for (RowGroup each : split.file().rowGroups()) {
      group += each.rowCount();
      long end = Math.min(group, split.endRow());
      if (end - start >= rows || end == split.endRow()) {
        if (end > start) {
          turns.add(FileSplit.of(split.file(), start, end - start));
        }
        start = Math.max(start, end);
      }
    }
    return turns;
  }
}
