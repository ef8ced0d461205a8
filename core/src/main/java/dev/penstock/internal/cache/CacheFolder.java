package dev.penstock.internal.cache;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.cache.FolderAccess.RefusedException;
import dev.penstock.internal.cache.Segment.DamagedException;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.schema.Schema;
import dev.penstock.split.ByteSize;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
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
/// **Ownership.** Segments are mapped while the folder is held, see [#hold()].
///
/// **Threads.** Any. What is known, what may be deleted and what is being written have a monitor
/// each. No monitor is held while files are listed, written or deleted, nor while a thread waits
/// for the [FolderLock].
public final class CacheFolder {
  private static final Logger LOG = LoggerFactory.getLogger(CacheFolder.class);

  /// How much more (1/n) is advised than rows take by an estimate.
  private static final int ADVICE_SPARE = 8;

  private final Path path;
  private final FolderAccess access;
  private final Warning warning;
  private final SegmentCatalog catalog = new SegmentCatalog();
  private final RoomKeeper keeper;
  private final SegmentWriters writers;

  /// Warns once that a folder cannot be used.
  static final class Warning {
    private final Path path;
    private final AtomicBoolean isGiven = new AtomicBoolean();

    Warning(Path path) {
      this.path = path;
    }

    void give(Throwable cause) {
      if (!isGiven.getAndSet(true)) {
        LOG.warn(
            "Cannot use the cache '{}': {}. Rows are delivered all the same; what is not in the"
                + " cache is decoded again in the next epoch.",
            path,
            cause instanceof IOException refused ? reason(refused) : String.valueOf(cause));
      }
    }
  }

  private CacheFolder(Path path, long limit, FolderAccess access) {
    this.path = path;
    this.access = access;
    this.warning = new Warning(path);
    this.keeper = new RoomKeeper(path, limit, access, catalog);
    this.writers = new SegmentWriters(keeper, catalog, warning);
  }

  /// Opens a folder, which is made if it does not exist; its files may have `limit` bytes together.
  ///
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
          Sentence.of(
              "Cannot use '%s' as a cache: %s. Name a folder that can be made and written, or leave"
                  + " the cache out.",
              path, reason(e)),
          e);
    }
    return new CacheFolder(path, limit.bytes(), access);
  }

  /// Returns the advice to use a cache that has room for rows of about `bytes` decoded bytes, or to
  /// use none. Each of the `writers` segments that are written at a time counts as if it were full.
  public static Advice advice(long bytes, int writers) {
    long all = bytes + bytes / ADVICE_SPARE;
    long full = all + writers * SegmentWriters.SEGMENT_BYTES;
    int parts = SegmentWriters.SEGMENTS_MIN;
    long size = writers < parts ? Math.min(full, all * parts / (parts - writers)) : full;
    String mib = Math.max(1, Math.ceilDiv(size, 1L << 20)) + "MiB";
    return Advice.of(
        "Use %s%s.",
        Remedy.of("cache", "FOLDER:" + mib, "cache(folder, \"" + mib + "\")").within("", " or "),
        Remedy.SHUFFLE_WINDOW);
  }

  /// Returns in words why the operating system refused something.
  static String reason(IOException refused) {
    return switch (refused) {
      case RefusedException told -> told.reason();
      case NoSuchFileException _ -> "it is not there";
      case AccessDeniedException _ -> "permission denied";
      case FileAlreadyExistsException _ -> "it is a file";
      case FileSystemException told when told.getReason() != null -> told.getReason();
      default -> refused.getMessage() == null ? refused.toString() : refused.getMessage();
    };
  }

  /// Returns whether a file is a cache's own, by its name without folders. Other files in its
  /// folder may be data.
  public static boolean isOwn(String name) {
    return FolderFile.isOurs(name) || name.equals(FolderLock.NAME);
  }

  /// Returns what the cache has of a file of `bytes` bytes. `version` identifies its contents, and
  /// `decoding` is what else decides its values, see [CachedFile#decoding].
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

  SegmentCatalog catalog() {
    return catalog;
  }

  RoomKeeper keeper() {
    return keeper;
  }

  SegmentWriters writers() {
    return writers;
  }

  /// Keeps what is mapped until [#release()].
  public void hold() {
    catalog.hold();
  }

  /// Ends a [#hold()]; after the last one nothing is mapped or written.
  public void release() {
    if (catalog.release()) {
      writers.finishIdle(); // of a worker that was in a user's code when the epoch ended
    }
  }

  /// Holds the folder for an epoch, and finds what other processes have written.
  public void begin() {
    hold();
    try {
      refresh();
    } catch (IOException e) {
      warning.give(e);
    }
  }

  /// Ends an epoch: what was written can be read in the next one.
  public void end() {
    try {
      writers.finishIdle();
    } finally {
      release();
    }
  }

  private void refresh() throws IOException {
    writers.beginEpoch();
    keeper.beginEpoch();
    Set<String> before = catalog.names();
    access.makeFolder(path); // It may have been deleted.
    try {
      access.requireFolder(path);
    } catch (RefusedException e) {
      writers.stop();
      throw e;
    }
    List<FolderFile> listed = FolderFile.list(path);
    for (Path each : catalog.update(listed, before)) {
      try {
        catalog.add(Segment.open(each, access));
      } catch (DamagedException e) {
        keeper.deleteDamaged(each, e);
      } catch (RefusedException e) {
        warning.give(e);
      } catch (IOException e) {
        LOG.debug("Cannot read a segment of the cache", e); // another process took it away
      }
    }
    keeper.clean(listed);
  }

  public Path path() {
    return path;
  }

  /// Returns how many bytes its files may have together.
  public ByteSize limit() {
    return new ByteSize(keeper.limit());
  }

  /// Returns `count` empty piles for `rows` rows in all, which come in `windows` windows. They take
  /// room in this folder until they are closed.
  public Piles piles(int count, int windows, Schema columns, long rows) {
    return new Piles(this, count, windows, columns, rows);
  }
}
