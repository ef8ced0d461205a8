package dev.penstock.spi.format;

import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.Optional;

/// Finds the rows of a file that were not deleted, if rows were deleted without rewriting the file.
///
/// **Threads.** May be called by any number of threads at once.
@FunctionalInterface
public interface LiveRows {
  /// {@return the rows that are left: a finished set over `[0, rowCount())` of
  /// [FileMetadata#rowCount()]; empty if no row was deleted} Called once per file, after its
  /// metadata was read.
  ///
  /// @param file the open file
  /// @param metadata the file's metadata from its format
  /// @throws IOException if they cannot be determined
  Optional<RowSet> find(StorageFile file, FileMetadata metadata) throws IOException;
}
