package dev.penstock.internal.cache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where the rows of a file are in the cache. One thread at a time.
final class FileRecords {
  /// Records of the same rows are looked at before a row counts as absent.
  private static final int LOOKS_MAX = 8;

  private final List<OfSet> sets = new ArrayList<>();
  private @Nullable Metadata metadata;

  /// The place of what is known about the file as a whole.
  record Metadata(Segment segment, int record) {}

  /// The records of columns that were decoded together, by their first row.
  private static final class OfSet {
    private final long[] columns;
    private long[] firstRows = new long[4];
    private int[] records = new int[4];
    private Segment[] segments = new Segment[4];
    private int count;

    OfSet(long[] columns) {
      this.columns = columns;
    }

    int column(long key) {
      for (int i = 0; i < columns.length; i++) {
        if (columns[i] == key) {
          return i;
        }
      }
      return -1;
    }

    /// Returns the place of the first record that begins behind a row.
    int behind(long row) {
      int low = 0;
      int high = count;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (firstRows[middle] <= row) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    void add(long firstRow, Segment segment, int record) {
      if (count == records.length) {
        firstRows = Arrays.copyOf(firstRows, 2 * count);
        records = Arrays.copyOf(records, 2 * count);
        segments = Arrays.copyOf(segments, 2 * count);
      }
      int at = behind(firstRow);
      System.arraycopy(firstRows, at, firstRows, at + 1, count - at);
      System.arraycopy(records, at, records, at + 1, count - at);
      System.arraycopy(segments, at, segments, at + 1, count - at);
      firstRows[at] = firstRow;
      records[at] = record;
      segments[at] = segment;
      count++;
    }

    void removeGone() {
      int left = 0;
      for (int i = 0; i < count; i++) {
        if (!segments[i].isGone()) {
          firstRows[left] = firstRows[i];
          records[left] = records[i];
          segments[left] = segments[i];
          left++;
        }
      }
      Arrays.fill(segments, left, count, null);
      count = left;
    }
  }

  void add(Segment segment, int record) {
    SegmentIndex index = segment.index();
    int set = index.setOf(record);
    if (set == SegmentIndex.METADATA) {
      metadata = new Metadata(segment, record);
    } else if (set != SegmentIndex.DICTIONARY) {
      of(index.columns(set)).add(index.firstRow(record), segment, record);
    }
  }

  private OfSet of(long[] columns) {
    for (OfSet set : sets) {
      if (Arrays.equals(set.columns, columns)) {
        return set;
      }
    }
    OfSet added = new OfSet(columns);
    sets.add(added);
    return added;
  }

  /// Returns a record that has a row of a column.
  @Nullable CachedChunk find(RoomKeeper keeper, long column, long row) {
    for (OfSet set : sets) {
      int place = set.column(column);
      int last = set.behind(row) - 1;
      for (int i = last; place >= 0 && i >= 0 && i > last - LOOKS_MAX; i--) {
        Segment segment = set.segments[i];
        if (!segment.isGone() && row - set.firstRows[i] < segment.index().rows(set.records[i])) {
          return new CachedChunk(keeper, segment, set.records[i], place);
        }
      }
    }
    return null;
  }

  /// Returns the first row of the next record of a column that begins behind a row, or `end`.
  long next(long column, long row, long end) {
    long next = end;
    for (OfSet set : sets) {
      if (set.column(column) >= 0) {
        int i = set.behind(row);
        while (i < set.count && set.segments[i].isGone()) {
          i++;
        }
        next = i < set.count ? Math.min(next, set.firstRows[i]) : next;
      }
    }
    return next;
  }

  long bytes() {
    long bytes = 0;
    for (OfSet set : sets) {
      for (int i = 0; i < set.count; i++) {
        bytes += set.segments[i].index().bytes(set.records[i]);
      }
    }
    return bytes;
  }

  @Nullable Metadata metadata() {
    Metadata known = metadata;
    return known == null || known.segment().isGone() ? null : known;
  }

  void removeGone() {
    sets.forEach(OfSet::removeGone);
    sets.removeIf(set -> set.count == 0);
    metadata = metadata();
  }

  boolean isEmpty() {
    return sets.isEmpty() && metadata == null;
  }
}
