package dev.penstock.internal.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.penstock.internal.cache.FolderAccess.RefusedException;
import dev.penstock.internal.cache.Segment.DamagedException;
import dev.penstock.schema.Schema;
import dev.penstock.split.ByteSize;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A folder with decoded columns of files, up to a number of bytes.
///
/// It has segments, which are written once and never changed. Whatever happens to one, its rows are
/// decoded again: a segment that is absent, cut or changed counts as not there.
///
/// Several processes may share a folder. Each writes segments of its own; what the others have
/// written is found when an epoch begins.
///
/// It is one class, because finding, holding, evicting and writing segments share one lock.
///
/// **Ownership.** Segments are mapped while the folder is held, see [#hold()].
///
/// **Threads.** Any.
public final class CacheFolder {
  /* What is kept: the oldest segments go first, by the time of their last use, which is the time of
   * the file, set once in each epoch. A folder never takes away a segment that it has used or
   * written itself. So a table that is larger than the cache does not push itself out in each epoch:
   * what fits stays.
   *
   * Rows on piles cannot be decoded again, so all others make room for them, also those that were
   * used; and columns are not written where piles will need the room.
   *
   * How much: a segment that is being written has its final size in its name, and counts as if it
   * had it. So several processes together stay within the limit. */

  private static final Logger LOG = LoggerFactory.getLogger(CacheFolder.class);

  /// A segment has at most this many bytes, unless its records are large.
  private static final long SEGMENT_BYTES = 64L << 20;

  /// A segment has room for as many records like its first one, so that their dictionaries are not
  /// written with each of them.
  private static final int RECORDS_MIN = 8;

  /// A segment of several records takes at most this part (1/n) of the cache.
  private static final int SEGMENTS_MIN = 16;

  /// How much more (1/n) is advised than rows take by an estimate.
  private static final int ADVICE_SPARE = 8;

  private final Path path;
  private final long limit;
  private final FolderAccess access;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Map<String, Segment> segments = new HashMap<>(); // by name

  @GuardedBy("lock")
  private final Map<FileKey, FileRecords> files = new HashMap<>();

  @GuardedBy("lock")
  private final Set<String> used = new HashSet<>(); // in any epoch

  @GuardedBy("lock")
  private final Set<String> touched = new HashSet<>(); // in this epoch

  @GuardedBy("lock")
  private final Deque<SegmentWriter> idle = new ArrayDeque<>();

  @GuardedBy("lock")
  private final Set<String> piled = new HashSet<>(); // names of segments of piles

  @GuardedBy("lock")
  private long pilesToCome; // bytes that piles will still take

  @GuardedBy("lock")
  private int holds;

  @GuardedBy("lock")
  private boolean isFull; // or cannot be written, until the next epoch

  @GuardedBy("lock")
  private boolean isWarned;

  private CacheFolder(Path path, long limit, FolderAccess access) {
    this.path = path;
    this.limit = limit;
    this.access = access;
  }

  /// Opens a folder, which is made if it does not exist.
  ///
  /// @param path where it is
  /// @param limit how many bytes its files may have together
  /// @param access whose segments are used, and who may read those that are written
  /// @return the folder
  /// @throws IOException if it cannot be made, or nobody may write into it, or others may have
  ///   written it
  public static CacheFolder open(Path path, ByteSize limit, FolderAccess access)
      throws IOException {
    try {
      access.makeFolder(path);
      if (!Files.isWritable(path)) { // A disk that is full is no error.
        throw new AccessDeniedException(path.toString());
      }
      access.require(path);
    } catch (RefusedException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(
          "Cannot use '"
              + path
              + "' as a cache: "
              + Refusal.reason(e)
              + ". Name a folder that can be made and written, or leave the cache out.",
          e);
    }
    return new CacheFolder(path, limit.bytes(), access);
  }

  /// Returns the advice to use a cache that has room for some rows, or none.
  ///
  /// @param bytes about how many bytes the decoded rows take
  /// @param writers how many segments are written at a time; each counts as if it were full
  /// @return a sentence
  public static String advice(long bytes, int writers) {
    long all = bytes + bytes / ADVICE_SPARE;
    long full = all + writers * SEGMENT_BYTES;
    long size =
        writers < SEGMENTS_MIN
            ? Math.min(full, all * SEGMENTS_MIN / (SEGMENTS_MIN - writers))
            : full;
    return "Use cache(folder, \""
        + Math.max(1, Math.ceilDiv(size, 1L << 20))
        + "MiB\") or Shuffle.window(rows).";
  }

  /// Returns whether a file is a cache's own, by its name. Other files in its folder may be data.
  ///
  /// @param name the file's name, without folders
  /// @return whether it is
  public static boolean isOwn(String name) {
    return FolderFile.isOurs(name) || name.equals(FolderLock.NAME);
  }

  /// Returns a file of a table in the cache.
  ///
  /// @param location where the file is
  /// @param bytes its size
  /// @param version what tells its contents apart
  /// @param decoding what else decides its values, see [CachedFile#decoding]
  /// @return the file
  public CachedFile file(Location location, long bytes, String version, List<String> decoding) {
    // A relative path is another file in another working folder.
    String name =
        location.scheme().equals("file")
            ? Path.of(location.text()).toAbsolutePath().normalize().toString()
            : location.text();
    List<String> parts = new ArrayList<>(List.of(name, Long.toString(bytes), version));
    parts.addAll(decoding);
    return new CachedFile(this, FileKey.of(parts), name);
  }

  /// Keeps what is mapped until [#release()].
  public void hold() {
    lock.lock();
    try {
      holds++;
    } finally {
      lock.unlock();
    }
  }

  /// Ends a [#hold()]; after the last one nothing is mapped or written.
  public void release() {
    lock.lock();
    try {
      holds--;
      if (holds > 0) {
        return;
      }
      segments.values().forEach(Segment::unmap);
    } finally {
      lock.unlock();
    }
    finishIdle(); // of a worker that was in a user's code when the epoch ended
  }

  /// Holds the folder for an epoch, and finds what other processes have written.
  public void begin() {
    hold();
    try {
      refresh();
    } catch (IOException e) {
      warn(e);
    }
  }

  /// Ends an epoch: what was written can be read in the next one.
  public void end() {
    try {
      finishIdle();
    } finally {
      release();
    }
  }

  private void refresh() throws IOException {
    Set<String> before;
    lock.lock();
    try {
      isFull = false;
      touched.clear();
      before = Set.copyOf(segments.keySet());
    } finally {
      lock.unlock();
    }
    access.makeFolder(path); // It may have been deleted.
    try {
      access.requireFolder(path);
    } catch (RefusedException e) {
      stopWriting();
      throw e;
    }
    List<FolderFile> listed = FolderFile.list(path);
    List<Path> unknown = update(listed, before);
    for (Path each : unknown) {
      try {
        add(Segment.open(each, access));
      } catch (DamagedException e) {
        LOG.warn("{}. It is deleted, and its rows are decoded again.", e.getMessage());
        delete(each);
      } catch (RefusedException e) {
        warn(e);
      } catch (IOException e) {
        LOG.debug("Cannot read a segment of the cache", e); // another process took it away
      }
    }
    boolean isOver = listed.stream().mapToLong(FolderFile::room).sum() > limit;
    if (isOver || listed.stream().anyMatch(FolderFile::isPart)) {
      try (FolderLock _ = FolderLock.take(path, access)) {
        FolderFile.list(path).stream().filter(FolderFile::isPart).forEach(FolderFile::deleteIfLeft);
        makeRoom(0, false);
      }
    }
  }

  /// Forgets segments that are gone.
  ///
  /// @param before the names of the segments that were known before the list was made
  /// @return the segments that are not known
  private List<Path> update(List<FolderFile> listed, Set<String> before) {
    List<Path> unknown = new ArrayList<>();
    Set<String> gone = new HashSet<>(before);
    lock.lock();
    try {
      for (FolderFile entry : listed) {
        gone.remove(entry.name());
        if (!entry.isPart() && !segments.containsKey(entry.name())) {
          unknown.add(entry.path());
        }
      }
      gone.forEach(name -> forget(segments.get(name)));
      removeGone();
    } finally {
      lock.unlock();
    }
    return unknown;
  }

  private static void delete(Path segment) {
    try {
      Files.deleteIfExists(segment);
    } catch (IOException e) {
      LOG.debug("Cannot delete a segment of the cache", e); // Windows: another process reads it.
    }
  }

  private void add(Segment segment) {
    lock.lock();
    try {
      if (segments.putIfAbsent(segment.name(), segment) != null) {
        return;
      }
      SegmentIndex index = segment.index();
      for (int record = 0; record < index.records(); record++) {
        files
            .computeIfAbsent(index.file(index.fileOf(record)), _ -> new FileRecords())
            .add(segment, record);
      }
    } finally {
      lock.unlock();
    }
  }

  private void forget(@Nullable Segment segment) {
    if (segment != null) {
      segment.lose(); // still mapped, if readers have its rows
    }
  }

  @GuardedBy("lock")
  private void removeGone() {
    files.values().forEach(FileRecords::removeGone);
    files.values().removeIf(FileRecords::isEmpty);
    if (holds <= 1) { // Only the epoch that begins: nobody reads.
      segments.values().stream().filter(Segment::isGone).forEach(Segment::unmap);
      segments.values().removeIf(Segment::isGone);
    }
  }

  /// Marks a segment as used, so that it stays longer.
  void use(Segment segment) {
    lock.lock();
    try {
      used.add(segment.name());
      if (!touched.add(segment.name())) {
        return;
      }
    } finally {
      lock.unlock();
    }
    try {
      segment.touch();
    } catch (IOException e) {
      LOG.debug("Cannot mark a segment as used", e); // another user's, or it is gone
    }
  }

  /// Takes a damaged segment away.
  void lose(Segment segment, IOException why) {
    if (segment.isGone()) {
      return;
    }
    segment.lose();
    if (why instanceof DamagedException) {
      LOG.warn("{}. It is deleted, and its rows are decoded again.", why.getMessage());
      delete(segment.path());
    } else {
      LOG.debug("A segment of the cache cannot be read any more", why);
    }
  }

  @Nullable Held find(FileKey file, long column, long row) {
    lock.lock();
    try {
      FileRecords records = files.get(file);
      return records == null ? null : records.find(this, column, row);
    } finally {
      lock.unlock();
    }
  }

  long next(FileKey file, long column, long row, long end) {
    lock.lock();
    try {
      FileRecords records = files.get(file);
      return records == null ? end : records.next(column, row, end);
    } finally {
      lock.unlock();
    }
  }

  /// Returns where the folder is.
  ///
  /// @return its path
  public Path path() {
    return path;
  }

  /// Returns how many bytes its files may have together.
  ///
  /// @return the limit
  public ByteSize limit() {
    return new ByteSize(limit);
  }

  long bytes(FileKey file) {
    lock.lock();
    try {
      FileRecords records = files.get(file);
      return records == null ? 0 : records.bytes();
    } finally {
      lock.unlock();
    }
  }

  Optional<byte[]> metadata(FileKey file) {
    Segment segment;
    int record;
    lock.lock();
    try {
      FileRecords records = files.get(file);
      segment = records == null ? null : records.metadata();
      record = records == null ? 0 : records.metadataRecord();
    } finally {
      lock.unlock();
    }
    if (segment == null) {
      return Optional.empty();
    }
    try {
      use(segment);
      return Optional.of(segment.metadata(record));
    } catch (IOException e) {
      lose(segment, e);
      return Optional.empty();
    }
  }

  void keep(FileKey file, String name, byte[] metadata) {
    long bytes = SegmentWriter.bytes(name, metadata);
    SegmentWriter writer =
        takes(bytes) ? writer(bytes, begun -> begun.hasRoom(file, name, metadata)) : null;
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

  /// Returns how many bytes of rows a record should have at most.
  long recordBytesMax() {
    return limit / SEGMENTS_MIN;
  }

  /// Returns whether a segment may be as large; a record is checked as one buffer.
  boolean takes(long bytes) {
    return bytes <= Math.min(limit, Integer.MAX_VALUE);
  }

  /// Tells whether a segment that was begun has room.
  interface Room {
    /// Returns whether it has.
    boolean isIn(SegmentWriter begun) throws IOException;
  }

  /// Begins to write.
  ///
  /// @param bytes how many bytes a new segment needs at least
  /// @param room whether a segment that was begun has room
  /// @return null if there is no room, or writing has failed
  @Nullable SegmentWriter writer(long bytes, Room room) {
    SegmentWriter made = null;
    try {
      SegmentWriter begun = idle();
      while (begun != null && !room.isIn(begun)) {
        finish(begun);
        begun = idle();
      }
      made = begun != null ? begun : isFull() ? null : create(bytes);
    } catch (IOException e) {
      warn(e);
    } finally {
      if (made == null) {
        stopWriting();
      }
    }
    return made;
  }

  private @Nullable SegmentWriter idle() {
    lock.lock();
    try {
      return isFull ? null : idle.poll();
    } finally {
      lock.unlock();
    }
  }

  private boolean isFull() {
    lock.lock();
    try {
      return isFull;
    } finally {
      lock.unlock();
    }
  }

  private void stopWriting() {
    lock.lock();
    try {
      isFull = true;
    } finally {
      lock.unlock();
    }
  }

  /// Takes back what has written rows.
  void give(SegmentWriter writer) {
    writer.forget();
    lock.lock();
    try {
      idle.push(writer);
    } finally {
      lock.unlock();
    }
  }

  /// Takes back what could not write.
  void fail(@Nullable SegmentWriter writer, Throwable cause) {
    if (writer != null) {
      writer.abandon();
    }
    stopWriting();
    warn(cause);
  }

  private void warn(Throwable cause) {
    lock.lock();
    try {
      if (isWarned) {
        return;
      }
      isWarned = true;
    } finally {
      lock.unlock();
    }
    LOG.warn(
        "Cannot use the cache '{}': {}. Rows are delivered all the same; what is not in the cache"
            + " is decoded again in the next epoch.",
        path,
        cause instanceof RefusedException refused ? refused.reason() : String.valueOf(cause));
  }

  private void finishIdle() {
    List<SegmentWriter> ended = new ArrayList<>();
    lock.lock();
    try {
      ended.addAll(idle);
      idle.clear();
    } finally {
      lock.unlock();
    }
    ended.forEach(this::finish);
  }

  /// Returns piles of rows, which this folder has until they are closed.
  ///
  /// @param count how many piles
  /// @param windows how many times rows are put on them
  /// @param columns the columns of the rows
  /// @param rows how many rows they will have together
  /// @return the piles, empty
  public Piles piles(int count, int windows, Schema columns, long rows) {
    return new Piles(this, count, windows, columns, rows);
  }

  /// Notes how many bytes piles will still take, so that no others are written in their place.
  void expectPiles(long bytes) {
    lock.lock();
    try {
      pilesToCome = bytes;
    } finally {
      lock.unlock();
    }
  }

  /// Begins a segment of piles.
  ///
  /// @param bytes how many bytes it needs at least
  /// @return null if there is no room
  @Nullable SegmentWriter pileWriter(long bytes) throws IOException {
    long room = Math.max(bytes, Math.min(SEGMENT_BYTES, limit / SEGMENTS_MIN));
    try (FolderLock _ = FolderLock.take(path, access)) {
      return makeRoom(room, true)
          ? SegmentWriter.create(path, FolderFile.newName(), room, access)
          : null;
    }
  }

  /// Ends a segment of piles, whose rows can be read from now on.
  ///
  /// @return its name; null if it is empty
  @Nullable String finishPiles(SegmentWriter writer) throws IOException {
    lock.lock();
    try {
      piled.add(writer.name()); // before others see it
    } finally {
      lock.unlock();
    }
    Segment segment = null;
    try {
      segment = writer.finish();
    } finally {
      if (segment == null) {
        remove(List.of(writer.name()));
      }
    }
    if (segment == null) {
      return null;
    }
    add(segment);
    return segment.name();
  }

  /// Takes segments of piles away.
  void remove(List<String> names) {
    for (String name : names) {
      delete(path.resolve(name));
      lock.lock();
      try {
        piled.remove(name);
        forget(segments.get(name));
      } finally {
        lock.unlock();
      }
    }
  }

  private void finish(SegmentWriter writer) {
    try {
      Segment segment = writer.finish();
      if (segment != null) {
        lock.lock();
        try {
          used.add(segment.name());
        } finally {
          lock.unlock();
        }
        add(segment);
      }
    } catch (IOException e) {
      warn(e);
    }
  }

  /// Begins a segment, if there is room.
  private @Nullable SegmentWriter create(long bytes) throws IOException {
    long most = Math.max(SEGMENT_BYTES, RECORDS_MIN * bytes);
    long room = Math.max(bytes, Math.min(most, limit / SEGMENTS_MIN));
    try (FolderLock _ = FolderLock.take(path, access)) {
      return makeRoom(room, false)
          ? SegmentWriter.create(path, FolderFile.newName(), room, access)
          : null;
    }
  }

  /// Deletes the segments that were not used for longest, until there is room for another one.
  ///
  /// @param room how many bytes it has
  /// @param isOfPiles whether it is for piles
  /// @return whether there is room
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
      lock.lock();
      try {
        forget(segments.get(entry.name()));
      } finally {
        lock.unlock();
      }
    }
    return taken <= limit;
  }

  private long pilesToCome() {
    lock.lock();
    try {
      return pilesToCome;
    } finally {
      lock.unlock();
    }
  }

  private boolean stays(String name, boolean isOfPiles) {
    lock.lock();
    try {
      return piled.contains(name) || (!isOfPiles && used.contains(name));
    } finally {
      lock.unlock();
    }
  }
}
