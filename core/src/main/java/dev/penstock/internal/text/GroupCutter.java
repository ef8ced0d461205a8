package dev.penstock.internal.text;

import dev.penstock.internal.memory.Raw;
import dev.penstock.internal.text.RecordScanner.OpenRecordException;
import dev.penstock.internal.text.TextGroups.TextGroup;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Cuts the records of a text into groups, in one pass from its start to its end.
final class GroupCutter {
  private final TextGroups.Cuts cuts;
  private final List<TextGroup> groups = new ArrayList<>();
  private TextPlace first; // where the group starts
  long position; // in the text
  private long rows; // in the group so far

  GroupCutter(TextPlace start, TextGroups.Cuts cuts) {
    this.cuts = cuts;
    this.first = start;
    this.position = start.at();
  }

  boolean mayEnd(int length) {
    return position + length - first.at() > cuts.bytes();
  }

  /// Passes bytes in which no group ends.
  void pass(long records, int length) {
    rows += records;
    position += length;
  }

  void scan(RecordScanner scanner, MemorySegment text, int length, TextInput in) {
    long base = Raw.address(text, 0, length + Swar.PADDING_BYTES);
    long at = base;
    long end = base + length;
    while (at < end) {
      // Up to the size of a group, any number of records; then just one more.
      long size = cuts.bytes() - (position + at - base - first.at());
      boolean full = size <= 0;
      long stop = full ? end : at + Math.min(end - at, size);
      at = scanner.scan(at, stop, full ? 1 : cuts.rows() - rows);
      rows += scanner.records();
      if (rows == cuts.rows() || (full && scanner.records() > 0)) {
        long behind = position + at - base;
        groups.add(new TextGroup(first, behind, rows, in.fileEnd(behind)));
        first = in.place(behind);
        rows = 0;
      }
    }
    position += length;
  }

  List<TextGroup> end(RecordScanner scanner, TextInput in) throws OpenRecordException {
    rows += scanner.finish() ? 1 : 0;
    if (rows > 0) {
      groups.add(new TextGroup(first, position, rows, in.fileEnd(position)));
    }
    return groups;
  }
}
