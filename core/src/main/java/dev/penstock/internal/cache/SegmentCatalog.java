package dev.penstock.internal.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The segments of a folder that are known, and which rows of files they have.
///
/// **Ownership.** Segments may be mapped while the catalog is held; nothing is mapped after the
/// last [#release()].
///
/// **Threads.** Any.
final class SegmentCatalog {
  @GuardedBy("this")
  private final Map<String, Segment> segments = new HashMap<>(); // by name

  @GuardedBy("this")
  private final Map<FileKey, FileRecords> files = new HashMap<>();

  @GuardedBy("this")
  private int holds;

  synchronized void hold() {
    holds++;
  }

  /// Ends a [#hold()] and returns whether it was the last one.
  synchronized boolean release() {
    holds--;
    if (holds > 0) {
      return false;
    }
    segments.values().forEach(Segment::unmap);
    return true;
  }

  synchronized Set<String> names() {
    return Set.copyOf(segments.keySet());
  }

  /// Forgets the segments of `before` that are not listed any more, and returns those listed that
  /// are not known. `before` was taken before the list, so that no newer segment is forgotten.
  synchronized List<Path> update(List<FolderFile> listed, Set<String> before) {
    List<Path> unknown = new ArrayList<>();
    Set<String> gone = new HashSet<>(before);
    for (FolderFile entry : listed) {
      gone.remove(entry.name());
      if (!entry.isPart() && !segments.containsKey(entry.name())) {
        unknown.add(entry.path());
      }
    }
    gone.forEach(this::forget);
    files.values().forEach(FileRecords::removeGone);
    files.values().removeIf(FileRecords::isEmpty);
    if (holds <= 1) { // Only the epoch that begins: nobody reads.
      segments.values().stream().filter(Segment::isGone).forEach(Segment::unmap);
      segments.values().removeIf(Segment::isGone);
    }
    return unknown;
  }

  synchronized void add(Segment segment) {
    if (segments.putIfAbsent(segment.name(), segment) != null) {
      return;
    }
    SegmentIndex index = segment.index();
    for (int record = 0; record < index.records(); record++) {
      files
          .computeIfAbsent(index.file(index.fileOf(record)), _ -> new FileRecords())
          .add(segment, record);
    }
  }

  /// Forgets a segment that is gone, if it is known. It stays mapped, if readers have its rows.
  synchronized void forget(String name) {
    Segment segment = segments.get(name);
    if (segment != null) {
      segment.lose();
    }
  }

  synchronized @Nullable CachedChunk find(RoomKeeper keeper, FileKey file, long column, long row) {
    FileRecords records = files.get(file);
    return records == null ? null : records.find(keeper, column, row);
  }

  synchronized long next(FileKey file, long column, long row, long end) {
    FileRecords records = files.get(file);
    return records == null ? end : records.next(column, row, end);
  }

  synchronized long bytes(FileKey file) {
    FileRecords records = files.get(file);
    return records == null ? 0 : records.bytes();
  }

  synchronized FileRecords.@Nullable Metadata metadata(FileKey file) {
    FileRecords records = files.get(file);
    return records == null ? null : records.metadata();
  }
}
