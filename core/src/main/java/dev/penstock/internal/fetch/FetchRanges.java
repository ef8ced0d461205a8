package dev.penstock.internal.fetch;

import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.storage.FetchAdvice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Turns many ranges into few requests: ranges with small gaps are joined, large ranges are cut.
public final class FetchRanges {
  /// A gap of up to this many bytes is always read along: that takes less time than any request.
  private static final long GAP_FREE = 64 << 10;

  /// All gaps read along may add up to this fraction (1/n) of the wanted bytes, if some are larger.
  private static final int GAPS_SHARE = 4;

  private FetchRanges() {}

  /// Returns the ranges to request, in the order in which a reader needs them that reads all wanted
  /// ranges in parallel. They are disjoint and have all wanted bytes of the file.
  ///
  /// The wanted ranges may be in any order and overlap; those that end after the file are left out.
  public static List<ByteRange> of(List<ByteRange> wanted, long fileBytes, FetchAdvice advice) {
    List<ByteRange> sorted =
        wanted.stream()
            .filter(range -> range.length() > 0 && range.end() <= fileBytes)
            .sorted(Comparator.comparingLong(ByteRange::offset))
            .toList();
    if (sorted.isEmpty()) {
      return List.of();
    }
    List<ByteRange> cut = new ArrayList<>();
    for (ByteRange range : joined(sorted, gapMax(sorted, advice.gapBytes()))) {
      cut(range, advice.rangeBytes(), cut);
    }
    return inOrder(cut, sorted);
  }

  /// Returns the size up to which gaps are read along: the smallest first, until they add up to too
  /// much.
  private static long gapMax(List<ByteRange> sorted, long most) {
    List<Long> gaps = new ArrayList<>();
    long bytes = 0;
    long end = sorted.getFirst().offset();
    for (ByteRange range : sorted) {
      if (range.offset() - end > 0) {
        gaps.add(range.offset() - end);
      }
      bytes += Math.max(0, range.end() - Math.max(end, range.offset()));
      end = Math.max(end, range.end());
    }
    gaps.sort(Comparator.naturalOrder());
    long max = Math.min(GAP_FREE, most);
    long over = 0;
    for (long gap : gaps) {
      over += gap;
      if (gap <= most && over <= bytes / GAPS_SHARE) {
        max = Math.max(max, gap);
      }
    }
    return max;
  }

  private static List<ByteRange> joined(List<ByteRange> sorted, long gapMax) {
    List<ByteRange> joined = new ArrayList<>();
    ByteRange open = sorted.getFirst();
    for (ByteRange range : sorted) {
      if (range.offset() - open.end() <= gapMax) {
        long end = Math.max(open.end(), range.end());
        open = new ByteRange(open.offset(), end - open.offset());
      } else {
        joined.add(open);
        open = range;
      }
    }
    joined.add(open);
    return joined;
  }

  /// Cuts a range into as few nearly equal parts as possible.
  private static void cut(ByteRange range, long most, List<ByteRange> into) {
    long parts = Math.ceilDiv(range.length(), most);
    long bytes = Math.ceilDiv(range.length(), parts);
    for (long from = range.offset(); from < range.end(); from += bytes) {
      into.add(new ByteRange(from, Math.min(bytes, range.end() - from)));
    }
  }

  /// A range, and the progress at which a reader of all wanted ranges needs it, as a fraction of
  /// each.
  private record Needed(ByteRange range, double need) {}

  /// Sorts ascending ranges, which have all wanted bytes, by need.
  private static List<ByteRange> inOrder(List<ByteRange> ranges, List<ByteRange> wanted) {
    List<Needed> needed = new ArrayList<>();
    List<ByteRange> open = new ArrayList<>(); // the wanted ranges that overlap this one
    int next = 0;
    for (ByteRange range : ranges) {
      open.removeIf(each -> each.end() <= range.offset());
      while (next < wanted.size() && wanted.get(next).offset() < range.end()) {
        open.add(wanted.get(next++));
      }
      double need = 1;
      for (ByteRange each : open) {
        long before = Math.max(0, range.offset() - each.offset());
        need = Math.min(need, (double) before / each.length());
      }
      needed.add(new Needed(range, need));
    }
    needed.sort(Comparator.comparingDouble(Needed::need));
    return needed.stream().map(Needed::range).toList();
  }
}
