package dev.penstock.internal.table;

import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.checked.CheckedFormat;
import dev.penstock.internal.checked.CheckedStorage;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.LiveRows;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.split.FileDetails;
import dev.penstock.split.PartitionValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// A data file that was listed, in a folder or by a catalog, its footer not read yet.
///
/// @param partition the partition values of its folders, outermost first; empty unless folders are
///   read as Hive partitions
/// @param constants column to the value that all rows have according to a catalog; empty for null
/// @param details what else the catalog states
/// @param live finds the live rows; empty if all rows are live
/// @param rows how many rows it has according to a catalog, also those that are not live
/// @param cache keeps what is decoded of it; empty without a cache
public record FoundFile(
    FileEntry entry,
    Storage storage,
    FileFormat format,
    List<PartitionValue> partition,
    Map<String, Optional<Object>> constants,
    Optional<FileDetails> details,
    Optional<LiveRows> live,
    OptionalLong rows,
    Map<String, String> options,
    Optional<CacheFolder> cache) {
  /// No file has more: that would be an error in its footer, and sums stay numbers.
  private static final long ROWS_MAX = 1L << 40;

  public FoundFile(
      FileEntry entry, Storage storage, FileFormat format, List<PartitionValue> partition) {
    this(
        entry,
        storage,
        format,
        partition,
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        Map.of(),
        Optional.empty());
  }

  /// Returns whether its live rows are known, and the version that has them.
  public boolean isStated() {
    long stated = rows.orElse(0); // nobody would open a file of no rows, and see that it has some
    return live.isEmpty() && !entry.version().isEmpty() && stated > 0 && stated <= ROWS_MAX;
  }

  /// Throws [IllegalArgumentException] if the format has no such options.
  public FoundFile with(Map<String, String> chosen) {
    return chosen.isEmpty()
        ? this
        : with(entry, storage, format.withOptions(chosen), chosen, cache);
  }

  public FoundFile with(FileEntry changed) {
    return with(changed, storage, format, options, cache);
  }

  /// Returns the file with all checks of what its format and its store give.
  public FoundFile checked() {
    return with(entry, CheckedStorage.always(storage), CheckedFormat.fully(format), options, cache);
  }

  public FoundFile with(CacheFolder folder) {
    return with(entry, storage, format, options, Optional.of(folder));
  }

  private FoundFile with(
      FileEntry here,
      Storage store,
      FileFormat reading,
      Map<String, String> chosen,
      Optional<CacheFolder> kept) {
    return new FoundFile(
        here, store, reading, partition, constants, details, live, rows, chosen, kept);
  }
}
