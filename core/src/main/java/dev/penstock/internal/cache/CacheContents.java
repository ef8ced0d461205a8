package dev.penstock.internal.cache;

import dev.penstock.internal.cache.Segment.DamagedException;
import dev.penstock.internal.choice.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What a cache has, seen from outside: loaders may use it meanwhile.
///
/// Segments that are deleted while they are looked at do not count. Whose they are is all the same:
/// no rows are taken from them. Any thread may use it.
///
/// @param path the folder, which need not exist
public record CacheContents(Path path) {
  /// What is kept of a file, whatever its version.
  ///
  /// @param bytes how many bytes its decoded columns take
  /// @param endRow the row after the last one that is kept of some column; 0 if there are none
  /// @param lastUsed when a segment that has some of it was last used
  public record KeptFile(String location, long bytes, long endRow, Instant lastUsed) {
    private KeptFile and(KeptFile other) {
      return new KeptFile(
          location,
          bytes + other.bytes,
          Math.max(endRow, other.endRow),
          lastUsed.isAfter(other.lastUsed) ? lastUsed : other.lastUsed);
    }
  }

  private List<FolderFile> list() throws IOException {
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw new IOException(
          "Cannot look at the cache '"
              + path
              + "': it is a file. Name the folder that was given as the cache.");
    }
    try {
      return FolderFile.list(path);
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw new IOException(
          "Cannot look at the cache '" + path + "': " + CacheFolder.reason(e) + ".", e);
    }
  }

  private List<FolderFile> whole() throws IOException {
    return list().stream()
        .filter(file -> !file.isPart())
        .sorted(Comparator.comparing(FolderFile::name))
        .toList();
  }

  public int segments() throws IOException {
    return whole().size();
  }

  /// Returns the bytes of all segments, also of those that are being written.
  public long bytes() throws IOException {
    return list().stream().mapToLong(FolderFile::bytes).sum();
  }

  /// Lists the files of which something is kept, by location. Segments that are damaged are left
  /// out.
  public List<KeptFile> files() throws IOException {
    Map<String, KeptFile> files = new TreeMap<>();
    for (FolderFile file : whole()) {
      try {
        add(Segment.open(file.path(), FolderAccess.SHARED).index(), file.used().toInstant(), files);
      } catch (DamagedException | NoSuchFileException e) {
        // It counts as not there.
      } catch (IOException e) {
        throw new IOException(cannotRead(file, e), e);
      }
    }
    return List.copyOf(files.values());
  }

  private static void add(SegmentIndex index, Instant used, Map<String, KeptFile> files) {
    for (int record = 0; record < index.records(); record++) {
      int set = index.setOf(record);
      String location = index.name(index.fileOf(record));
      long bytes = set == SegmentIndex.METADATA ? 0 : index.bytes(record);
      long endRow = set < 0 ? 0 : index.firstRow(record) + index.rows(record);
      files.merge(location, new KeptFile(location, bytes, endRow, used), KeptFile::and);
    }
  }

  private static String cannotRead(FolderFile file, IOException why) {
    return Sentence.of(
        "Cannot read the segment %s of the cache: %s.", file.path(), CacheFolder.reason(why));
  }

  /// Reads all segments, compares the checksum of each of their records, and returns a sentence for
  /// each that is damaged or cannot be read. Deletes nothing.
  public List<String> check() throws IOException {
    List<String> problems = new ArrayList<>();
    for (FolderFile file : whole()) {
      try {
        Segment.open(file.path(), FolderAccess.SHARED).check();
      } catch (DamagedException e) {
        problems.add(e.getMessage() + ".");
      } catch (NoSuchFileException e) {
        // It was deleted meanwhile.
      } catch (IOException e) {
        problems.add(cannotRead(file, e));
      }
    }
    return problems;
  }

  /// Deletes all segments but those that are being written; returns how many bytes they had.
  ///
  /// @throws IOException if one cannot be deleted; the others are
  public long clear() throws IOException {
    if (list().isEmpty() && !Files.exists(FolderLock.path(path))) {
      return 0;
    }
    try (FolderLock lock = FolderLock.take(path, FolderAccess.SHARED)) {
      long freed = 0;
      IOException failed = null;
      for (FolderFile file : list()) {
        try {
          boolean isGone = file.isPart() ? file.deleteIfLeft() : Files.deleteIfExists(file.path());
          freed += isGone ? file.bytes() : 0;
        } catch (IOException e) {
          failed = e;
        }
      }
      if (failed != null) {
        throw failed;
      }
      lock.delete();
      return freed;
    } catch (IOException e) {
      throw new IOException(
          Sentence.of(
              "Cannot clear the cache '%s': %s. What could be deleted is. On Windows a segment that"
                  + " is read cannot.",
              path, CacheFolder.reason(e)),
          e);
    }
  }
}
