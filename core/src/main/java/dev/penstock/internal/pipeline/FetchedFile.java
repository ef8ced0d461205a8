package dev.penstock.internal.pipeline;

import dev.penstock.format.ByteRange;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.storage.FetchAdvice;
import dev.penstock.storage.StorageFile;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// What is fetched of a file for a run, by the bytes that its readers will want, and how far they
/// are. The groups of columns that share the run share it.
///
/// Guarded by the lock of its [FetchAhead].
final class FetchedFile {
  private final RowRun run;
  private final StorageFile file;
  private final List<ByteRange> wanted;
  private final long[] readTo; // of each wanted range
  private final List<FetchedRange> ranges = new ArrayList<>();
  private final BitSet groupsLeft = new BitSet();

  /// Makes it with nothing fetched.
  ///
  /// @param file the open file
  /// @param wanted the bytes that readers will want, each from its start to its end
  /// @param advice how ranges are best asked for
  /// @param groups how many groups of columns will read it
  FetchedFile(
      RowRun run, StorageFile file, List<ByteRange> wanted, FetchAdvice advice, int groups) {
    this.run = run;
    this.file = file;
    this.wanted = List.copyOf(wanted);
    this.readTo = wanted.stream().mapToLong(ByteRange::offset).toArray();
    for (ByteRange range : FetchRanges.of(wanted, file.size(), advice)) {
      ranges.add(new FetchedRange(this, range));
    }
    groupsLeft.set(0, groups);
  }

  RowRun run() {
    return run;
  }

  StorageFile file() {
    return file;
  }

  /// Returns what is to be fetched, in the order in which it will be wanted.
  List<FetchedRange> ranges() {
    return ranges;
  }

  /// Returns the range that has a byte and was not dropped, or one of only the bytes themselves
  /// where there is none.
  FetchedRange find(long offset, long length) {
    for (FetchedRange each : ranges) {
      ByteRange range = each.range();
      if (!each.isDropped() && range.offset() <= offset && offset < range.end()) {
        return each;
      }
    }
    return new FetchedRange(this, new ByteRange(offset, length));
  }

  /// Notes that bytes were read; gives up what no reader will want any more.
  ///
  /// @return how many bytes of started ranges were given up
  long read(long offset, long length) {
    long end = offset + length;
    boolean moved = false;
    for (int i = 0; i < readTo.length; i++) {
      ByteRange range = wanted.get(i);
      if (range.offset() <= offset && offset < range.end() && readTo[i] < end) {
        readTo[i] = end;
        moved = true;
      }
    }
    long freed = 0;
    if (moved) {
      for (FetchedRange each : ranges) {
        if (!each.isDropped() && isRead(each.range())) {
          freed += drop(each);
        }
      }
    }
    return freed;
  }

  private boolean isRead(ByteRange range) {
    for (int i = 0; i < readTo.length; i++) {
      ByteRange each = wanted.get(i);
      boolean has = each.offset() < range.end() && range.offset() < each.end();
      if (has && readTo[i] < Math.min(each.end(), range.end())) {
        return false;
      }
    }
    return true;
  }

  /// Notes that a group of columns is done.
  ///
  /// @return how many bytes of started ranges were given up
  long close(int group) {
    groupsLeft.clear(group);
    long freed = 0;
    if (groupsLeft.isEmpty()) {
      for (FetchedRange each : ranges) {
        if (!each.isDropped()) {
          freed += drop(each);
        }
      }
    }
    return freed;
  }

  private static long drop(FetchedRange range) {
    range.drop();
    return range.isStarted() ? range.range().length() : 0;
  }

  boolean isOver() {
    return groupsLeft.isEmpty();
  }

  /// Returns whether a group of columns has yet to read.
  boolean awaits(int group) {
    return groupsLeft.get(group);
  }
}
