package dev.penstock.internal.fetch;

import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The ranges fetched of an open file, the bytes that its readers will want, and the readers'
/// progress. Guarded by the lock of its [Fetches].
public final class FetchedFile {
  /// A range of at most this many bytes is kept until all readers are done: small ranges, such as
  /// the footer of a stripe, are read more than once.
  private static final int KEPT_BYTES = 16 << 10;

  private final StorageFile file;
  private final FetchAdvice advice;
  private final Runnable over;
  private final RangeIndex<Wanted> wanted = new RangeIndex<>(each -> each.range);
  private final List<FetchedRange> ranges = new ArrayList<>(); // in the order of need
  private final RangeIndex<FetchedRange> kept = new RangeIndex<>(FetchedRange::range);
  private final BitSet readersLeft = new BitSet();

  /// Bytes that a reader will read once, and its progress.
  private static final class Wanted {
    private final int reader;
    private final ByteRange range;
    private long readTo;

    Wanted(int reader, ByteRange range) {
      this.reader = reader;
      this.range = range;
      this.readTo = range.offset();
    }

    long distance(long offset) {
      return Math.abs(readTo - offset);
    }

    /// Returns whether this range, not begun yet, contains a smaller part.
    boolean isWholeOf(ByteRange part) {
      return readTo == range.offset()
          && range.length() > part.length()
          && range.offset() <= part.offset()
          && part.end() <= range.end();
    }
  }

  /// Starts with nothing wanted; `over` is called with the lock held, when all readers are done.
  public FetchedFile(StorageFile file, FetchAdvice advice, Runnable over) {
    this.file = file;
    this.advice = advice;
    this.over = over;
  }

  StorageFile file() {
    return file;
  }

  FetchAdvice advice() {
    return advice;
  }

  /// Returns the ranges to fetch, in the order in which they will be wanted.
  List<FetchedRange> ranges() {
    return ranges;
  }

  /// Adds ranges that a reader, numbered from 0, will want: each is read once, from its start to
  /// its end; they may overlap. They replace ranges that contain them and that the reader has not
  /// begun.
  public void want(int reader, List<ByteRange> more) {
    readersLeft.set(reader);
    List<Wanted> wholes = new ArrayList<>();
    for (ByteRange part : more) {
      wanted.overlapping(part).stream()
          .filter(each -> each.reader == reader && each.isWholeOf(part))
          .findFirst()
          .ifPresent(wholes::add);
    }
    wholes.forEach(wanted::remove);
    more.forEach(range -> wanted.add(new Wanted(reader, range)));
  }

  /// Returns what to fetch for ranges besides the bytes that are fetched or planned already. The
  /// ranges may be in any order and overlap.
  public List<FetchedRange> fetch(List<ByteRange> more) {
    List<FetchedRange> added = new ArrayList<>();
    for (ByteRange range : FetchRanges.of(more, file.size(), advice)) {
      List<ByteRange> missing = List.of(range);
      for (FetchedRange each : kept.overlapping(range)) {
        missing = without(missing, each.range());
      }
      missing.forEach(piece -> added.add(new FetchedRange(this, piece)));
    }
    ranges.addAll(added);
    added.forEach(kept::add);
    return added;
  }

  private static List<ByteRange> without(List<ByteRange> ranges, ByteRange there) {
    List<ByteRange> left = new ArrayList<>();
    for (ByteRange range : ranges) {
      if (there.end() <= range.offset() || range.end() <= there.offset()) {
        left.add(range);
        continue;
      }
      if (range.offset() < there.offset()) {
        left.add(new ByteRange(range.offset(), there.offset() - range.offset()));
      }
      if (there.end() < range.end()) {
        left.add(new ByteRange(there.end(), range.end() - there.end()));
      }
    }
    return left;
  }

  /// Returns the range that contains a byte and was not dropped, or null.
  @Nullable FetchedRange find(long offset) {
    List<FetchedRange> found = kept.overlapping(new ByteRange(offset, 1));
    return found.isEmpty() ? null : found.getFirst();
  }

  /// Returns whether a range is one of this file's planned ranges, or was dropped.
  boolean has(FetchedRange range) {
    return range.isDropped() || kept.contains(range);
  }

  boolean isBegun() {
    return ranges.stream().anyMatch(range -> range.isStarted() && !range.isDropped());
  }

  /// Records that a reader has read bytes, and drops ranges that no reader will want any more.
  /// Returns how many bytes of started ranges were dropped.
  ///
  /// If it wants bytes more than once, the read counts for the wanted range whose progress is
  /// nearest.
  long read(int reader, long offset, long length) {
    List<Wanted> went = new ArrayList<>();
    long end = offset + length;
    for (long at = offset; at < end; ) {
      Wanted nearest = nearest(reader, at, end);
      if (nearest == null) {
        at = nextStart(reader, at, end);
      } else {
        at = Math.min(end, nearest.range.end());
        nearest.readTo = at;
        went.add(nearest);
      }
    }
    return dropRead(went);
  }

  /// Drops the ranges of some wanted ones that all readers have read.
  private long dropRead(List<Wanted> some) {
    long freed = 0;
    for (Wanted one : some) {
      for (FetchedRange each : kept.overlapping(one.range)) {
        if (each.range().length() > KEPT_BYTES && isRead(each.range())) {
          freed += drop(each);
        }
      }
    }
    return freed;
  }

  /// Returns the wanted range that a read of such bytes continues, or null.
  private @Nullable Wanted nearest(int reader, long at, long end) {
    Wanted nearest = null;
    for (Wanted each : wanted.overlapping(new ByteRange(at, 1))) {
      if (each.reader == reader
          && each.readTo < Math.min(end, each.range.end())
          && (nearest == null || each.distance(at) < nearest.distance(at))) {
        nearest = each;
      }
    }
    return nearest;
  }

  private long nextStart(int reader, long at, long end) {
    for (Wanted each : wanted.overlapping(new ByteRange(at, end - at))) {
      if (each.reader == reader && each.range.offset() > at) {
        return each.range.offset();
      }
    }
    return end;
  }

  private boolean isRead(ByteRange range) {
    return wanted.allMatch(range, each -> each.readTo >= Math.min(each.range.end(), range.end()));
  }

  void open(int reader) {
    readersLeft.set(reader);
  }

  /// Records that a reader is done; it may come again, and then states what it wants. Returns how
  /// many bytes of started ranges were dropped.
  long close(int reader) {
    boolean was = isOver();
    readersLeft.clear(reader);
    long freed = forget(reader);
    if (!isOver() || was) {
      return freed;
    }
    over.run();
    return freed + drop();
  }

  /// Forgets what a reader wanted; returns how many bytes of started ranges were dropped.
  long forget(int reader) {
    List<Wanted> gone = wanted.all().stream().filter(each -> each.reader == reader).toList();
    gone.forEach(wanted::remove);
    return dropRead(gone);
  }

  /// Drops all ranges; returns how many bytes of started ranges were dropped.
  public long drop() {
    long freed = 0;
    for (FetchedRange each : kept.all()) {
      freed += drop(each);
    }
    return freed;
  }

  private long drop(FetchedRange range) {
    kept.remove(range);
    range.drop();
    return range.isStarted() ? range.range().length() : 0;
  }

  /// Closes the file, which its readers have not.
  public void close() throws IOException {
    file.close();
  }

  boolean isOver() {
    return readersLeft.isEmpty();
  }

  public boolean awaits(int reader) {
    return readersLeft.get(reader);
  }
}
