package dev.penstock.internal.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The segments of a folder that are being written. Those that nobody writes to at the moment are
/// given to the next one who does. Any thread may use it; a writer is with one at a time.
final class SegmentWriters {
  /// A segment has at most this many bytes, unless its records are large.
  static final long SEGMENT_BYTES = 64L << 20;

  /// A segment of several records takes at most this part (1/n) of the cache.
  static final int SEGMENTS_MIN = 16;

  /// A segment has room for as many records like its first one, so that their dictionaries are not
  /// written with each of them.
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

  /// Returns whether a segment may be as large; a record is checked as one buffer.
  boolean takes(long bytes) {
    return bytes <= Math.min(keeper.limit(), Integer.MAX_VALUE);
  }

  interface Room {
    boolean isIn(SegmentWriter begun) throws IOException;
  }

  /// Begins to write a segment that was begun and has room, or a new one of at least `bytes` bytes;
  /// returns null if there is no room, or writing has failed.
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

  void give(SegmentWriter writer) {
    writer.forget();
    synchronized (this) {
      idle.push(writer);
    }
  }

  void fail(@Nullable SegmentWriter writer, Throwable cause) {
    if (writer != null) {
      writer.abandon();
    }
    stop();
    warning.give(cause);
  }

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

  /// Begins a segment of piles of at least `bytes` bytes; returns null if there is no room.
  @Nullable SegmentWriter createPiles(long bytes) throws IOException {
    return keeper.create(Math.max(bytes, Math.min(SEGMENT_BYTES, recordBytesMax())), true);
  }

  /// Ends a segment of piles, whose rows can be read from now on, and returns its name; null if it
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
