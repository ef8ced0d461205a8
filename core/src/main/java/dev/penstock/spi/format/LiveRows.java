package dev.penstock.spi.format;

import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.Optional;

/// Finds the rows of a file that count, where some were deleted without the file being rewritten.
///
/// **Threads.** May be called by any number of threads at once.
@FunctionalInterface
public interface LiveRows {
  /// Finds them. Called once for a file, when its metadata was read.
  ///
  /// @param file the open file
  /// @param metadata what its format gave for it
  /// @return the rows that are left, looked at from 0 to [FileMetadata#rowCount()] and finished;
  ///   empty where all are
  /// @throws IOException if they cannot be told
  Optional<RowSet> find(StorageFile file, FileMetadata metadata) throws IOException;
}
