package dev.penstock;

import dev.penstock.internal.cache.CacheContents;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/// A folder that [StructuredDataset#cache] keeps decoded columns in: what it has, whether it is
/// intact, and a way to empty it. Loaders need none of this; a full folder makes room by itself.
///
/// Every call looks at the folder anew. A folder that does not exist, or that no dataset has used,
/// is an empty cache. Loaders may use the folder meanwhile: a segment that they delete is not
/// counted, and one that they write is whole later.
///
/// **Threads.** Safe for any.
///
/// **Errors.** A path that is a file, and a folder that cannot be read, throw
/// [java.io.UncheckedIOException].
public final class LocalCache {
  private final Path folder;

  private LocalCache(Path folder) {
    this.folder = folder;
  }

  /// What is kept of a data file, of all its versions together.
  ///
  /// @param location the file, as the dataset names it
  /// @param bytes how many bytes its decoded columns take in the folder
  /// @param endRow the row after the last one that is kept of some column, counted in the file from
  ///   0; 0 if only its footer is kept
  /// @param lastUsed when some of it was last written or read: the last use of the newest segment
  ///   that has some of it. A segment has rows of several files
  public record KeptFile(String location, long bytes, long endRow, Instant lastUsed) {}

  /// Names a cache. Opens nothing.
  ///
  /// @param folder the folder that was given to [StructuredDataset#cache]
  /// @return the cache
  /// @throws IllegalArgumentException if the text is not a path, see [Location#local]
  public static LocalCache at(String folder) {
    return new LocalCache(Location.local(folder));
  }

  private interface Look<T> {
    T at(CacheContents contents) throws IOException;
  }

  private <T> T look(Look<T> look) {
    try {
      return look.at(new CacheContents(folder));
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /// Counts the segments, which are the files that a cache consists of.
  ///
  /// @return how many are whole
  public int segments() {
    return look(CacheContents::segments);
  }

  /// Returns how much of the cache's size is taken.
  ///
  /// @return the bytes of all segments, also of those that are being written
  public long bytes() {
    return look(CacheContents::bytes);
  }

  /// Lists the data files of which something is kept. Reads the index of each segment, and leaves
  /// out segments that are damaged.
  ///
  /// @return by location; unmodifiable
  public List<KeptFile> files() {
    return look(CacheContents::files).stream()
        .map(file -> new KeptFile(file.location(), file.bytes(), file.endRow(), file.lastUsed()))
        .toList();
  }

  /// Reads everything and compares all checksums. Deletes nothing: a loader that comes upon a
  /// damaged segment deletes it, and decodes its rows again.
  ///
  /// @return a sentence for each segment that is damaged or cannot be read; empty if there are none
  public List<String> check() {
    return List.copyOf(look(CacheContents::check));
  }

  /// Deletes all segments but those that a process is writing. Other files in the folder stay, and
  /// so does the folder. Loaders that use it decode again what is gone.
  ///
  /// @return how many bytes were freed
  /// @throws java.io.UncheckedIOException if a segment cannot be deleted; the others are
  public long clear() {
    return look(CacheContents::clear);
  }

  /// Returns where the folder is.
  @Override
  public String toString() {
    return "LocalCache " + folder;
  }
}
