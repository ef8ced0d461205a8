package dev.penstock.internal.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The unfinished segments of a folder. A worker takes one, writes to it, and gives it back for the
/// next worker. Any thread may use it; a writer is with one at a time.
final class SegmentWriters {
  /// A segment has at most this many bytes, unless its records are large.
  static final long SEGMENT_BYTES = 64L << 20;

  /// A segment of several records takes at most this part (1/n) of the cache.
  static final int SEGMENTS_MIN = 16;

  /// A segment has room for this many records as large as its first one: they share dictionaries,
  /// which are written once.
  private static final int RECORDS_MIN = 8;

  private final RoomKeeper keeper;
  private final SegmentCatalog catalog;
  private final CacheFolder.Warning warning;

  @GuardedBy("this")
  private final Deque<SegmentWriter> idle = new ArrayDeque<>();

  @GuardedBy("this")
  private boolean isStopped; // the folder is full or cannot be written, until the next epoch

  SegmentWriters(RoomKeeper keeper, SegmentCatalog catalog, CacheFolder.Warning warning) {
    this.keeper = keeper;
    this.catalog = catalog;
    this.warning = warning;
  }

  synchronized void beginEpoch() {
    isStopped = false;
  }

  synchronized void stop() {
    isStopped = true;
  }

  private synchronized boolean isStopped() {
    return isStopped;
  }

  /// Returns how many bytes of rows a record should have at most.
  long recordBytesMax() {
    return keeper.limit() / SEGMENTS_MIN;
  }

  /// Returns whether a segment may have `bytes` bytes. Checksums are taken of whole records, so one
  /// has to fit into a buffer.
  boolean takes(long bytes) {
    return bytes <= Math.min(keeper.limit(), Integer.MAX_VALUE);
  }

  /// Tells whether what comes next fits into an unfinished segment.
  interface Room {
    boolean isIn(SegmentWriter begun) throws IOException;
  }

  /// Returns an unfinished segment with room, else a new one of at least `bytes` bytes. Returns
  /// null if there is no room, or writing has failed.
  @Nullable SegmentWriter take(long bytes, Room room) {
    SegmentWriter made = null;
    try {
      SegmentWriter begun = idle();
      while (begun != null && !room.isIn(begun)) {
        finish(begun);
        begun = idle();
      }
      made = begun != null ? begun : isStopped() ? null : create(bytes);
    } catch (IOException e) {
      warning.give(e);
    } finally {
      if (made == null) {
        stop();
      }
    }
    return made;
  }

  private synchronized @Nullable SegmentWriter idle() {
    return isStopped ? null : idle.poll();
  }

  private @Nullable SegmentWriter create(long bytes) throws IOException {
    long most = Math.max(SEGMENT_BYTES, RECORDS_MIN * bytes);
    return keeper.create(Math.max(bytes, Math.min(most, recordBytesMax())), false);
  }

  /// Takes a segment back from a worker that has written to it.
  void give(SegmentWriter writer) {
    writer.forget();
    synchronized (this) {
      idle.push(writer);
    }
  }

  /// Ends writing until the next epoch, because of an error.
  void fail(@Nullable SegmentWriter writer, Throwable cause) {
    if (writer != null) {
      writer.abandon();
    }
    stop();
    warning.give(cause);
  }

  /// Writes what is known about a file as a whole, if there is room.
  void keep(FileKey file, String name, byte[] metadata) {
    long bytes = SegmentWriter.bytes(name, metadata);
    SegmentWriter writer =
        takes(bytes) ? take(bytes, begun -> begun.hasRoom(file, name, metadata)) : null;
    if (writer != null) {
      try {
        writer.add(file, name, metadata);
      } catch (IOException e) {
        fail(writer, e);
        return;
      }
      give(writer);
    }
  }

  void finishIdle() {
    List<SegmentWriter> ended;
    synchronized (this) {
      ended = new ArrayList<>(idle);
      idle.clear();
    }
    ended.forEach(this::finish);
  }

  private void finish(SegmentWriter writer) {
    try {
      Segment segment = writer.finish();
      if (segment != null) {
        keeper.keep(segment.name());
        catalog.add(segment);
      }
    } catch (IOException e) {
      warning.give(e);
    }
  }

  /// Starts writing a segment of piles with room for at least `bytes` bytes. Returns null if the
  /// folder's limit leaves no room for it.
  @Nullable SegmentWriter createPiles(long bytes) throws IOException {
    return keeper.create(Math.max(bytes, Math.min(SEGMENT_BYTES, recordBytesMax())), true);
  }

  /// Finishes a segment of piles: its rows can be read from now on. Returns its name, or null if it
  /// is empty.
  @Nullable String finishPiles(SegmentWriter writer) throws IOException {
    keeper.keepPiles(writer.name()); // before others see it
    Segment segment = null;
    try {
      segment = writer.finish();
    } finally {
      if (segment == null) {
        keeper.remove(List.of(writer.name()));
      }
    }
    if (segment == null) {
      return null;
    }
    catalog.add(segment);
    return segment.name();
  }
}
