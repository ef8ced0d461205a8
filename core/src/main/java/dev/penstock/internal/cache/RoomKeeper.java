package dev.penstock.internal.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.internal.cache.Segment.DamagedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps a folder within its limit: decides which segments are deleted to make room for others. Any
/// thread may use it.
final class RoomKeeper {
  /* What is kept: the oldest segments go first, by the time of their last use, which is the time of
   * the file, set once in each epoch. A folder never takes away a segment that it has used or
   * written itself. So a table that is larger than the cache does not push itself out in each
   * epoch: what fits stays.
   *
   * Rows on piles cannot be decoded again, so all others make room for them, also those that were
   * used; and columns are not written where piles will need the room.
   *
   * How much: a segment that is being written has its final size in its name, and counts as if it
   * had it. So several processes together stay within the limit. */

  private static final Logger LOG = LoggerFactory.getLogger(CacheFolder.class);

  private final Path path;
  private final long limit;
  private final FolderAccess access;
  private final SegmentCatalog catalog;

  @GuardedBy("this")
  private final Set<String> used = new HashSet<>(); // in any epoch

  @GuardedBy("this")
  private final Set<String> touched = new HashSet<>(); // in this epoch

  @GuardedBy("this")
  private final Set<String> piled = new HashSet<>(); // names of segments of piles

  @GuardedBy("this")
  private long pilesToCome; // bytes that piles will still take

  RoomKeeper(Path path, long limit, FolderAccess access, SegmentCatalog catalog) {
    this.path = path;
    this.limit = limit;
    this.access = access;
    this.catalog = catalog;
  }

  long limit() {
    return limit;
  }

  synchronized void beginEpoch() {
    touched.clear();
  }

  /// Notes that a segment is used: others are deleted before it.
  void use(Segment segment) {
    synchronized (this) {
      used.add(segment.name());
      if (!touched.add(segment.name())) {
        return;
      }
    }
    try {
      segment.touch();
    } catch (IOException e) {
      LOG.debug("Cannot mark a segment as used", e); // another user's, or it is gone
    }
  }

  /// Lets a segment stay that this process has written.
  synchronized void keep(String name) {
    used.add(name);
  }

  /// Lets a segment of piles stay until it is removed.
  synchronized void keepPiles(String name) {
    piled.add(name);
  }

  /// Takes a damaged segment away.
  void lose(Segment segment, IOException why) {
    if (segment.isGone()) {
      return;
    }
    segment.lose();
    if (why instanceof DamagedException) {
      deleteDamaged(segment.path(), why);
    } else {
      LOG.debug("A segment of the cache cannot be read any more", why);
    }
  }

  void deleteDamaged(Path segment, IOException why) {
    LOG.warn("{}. It is deleted, and its rows are decoded again.", why.getMessage());
    delete(segment);
  }

  private static void delete(Path segment) {
    try {
      Files.deleteIfExists(segment);
    } catch (IOException e) {
      LOG.debug("Cannot delete a segment of the cache", e); // Windows: another process reads it.
    }
  }

  /// Deletes segments of piles.
  void remove(List<String> names) {
    for (String name : names) {
      delete(path.resolve(name));
      synchronized (this) {
        piled.remove(name);
      }
      catalog.forget(name);
    }
  }

  /// Notes how many bytes piles will still take, so that no others are written in their place.
  synchronized void expectPiles(long bytes) {
    pilesToCome = bytes;
  }

  private synchronized long pilesToCome() {
    return pilesToCome;
  }

  /// Makes room for a segment that may grow to `room` bytes, and starts writing it. Returns null if
  /// the folder's limit leaves no room for it.
  @Nullable SegmentWriter create(long room, boolean isOfPiles) throws IOException {
    try (FolderLock _ = FolderLock.take(path, access)) {
      return makeRoom(room, isOfPiles)
          ? SegmentWriter.create(path, FolderFile.newName(), room, access)
          : null;
    }
  }

  /// Deletes what killed processes have left behind, and what exceeds the limit.
  void clean(List<FolderFile> listed) throws IOException {
    boolean isOver = listed.stream().mapToLong(FolderFile::room).sum() > limit;
    if (isOver || listed.stream().anyMatch(FolderFile::isPart)) {
      try (FolderLock _ = FolderLock.take(path, access)) {
        FolderFile.list(path).stream().filter(FolderFile::isPart).forEach(FolderFile::deleteIfLeft);
        makeRoom(0, false);
      }
    }
  }

  /// Deletes the least recently used segments until a new one of `room` bytes fits; returns false
  /// if it does not fit.
  private boolean makeRoom(long room, boolean isOfPiles) throws IOException {
    List<FolderFile> all = FolderFile.list(path);
    long taken = room + all.stream().mapToLong(FolderFile::room).sum();
    taken += room > 0 && !isOfPiles ? pilesToCome() : 0;
    List<FolderFile> oldest =
        all.stream()
            .filter(entry -> !entry.isPart() && !stays(entry.name(), isOfPiles))
            .sorted(Comparator.comparing(FolderFile::used).thenComparing(FolderFile::name))
            .toList();
    if (room > 0 && taken - oldest.stream().mapToLong(FolderFile::bytes).sum() > limit) {
      return false;
    }
    for (FolderFile entry : oldest) {
      if (taken <= limit) {
        break;
      }
      delete(entry.path());
      taken -= Files.exists(entry.path()) ? 0 : entry.bytes();
      catalog.forget(entry.name());
    }
    return taken <= limit;
  }

  private synchronized boolean stays(String name, boolean isOfPiles) {
    return piled.contains(name) || (!isOfPiles && used.contains(name));
  }
}
