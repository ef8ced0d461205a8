package dev.penstock.spi.fields;

import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;

/// Compares a file with what its table says of it.
///
/// **Threads.** Any number at once.
@FunctionalInterface
public interface FileCheck {
  /// Checks a file.
  ///
  /// @param file the file
  /// @param metadata its metadata
  /// @throws IOException if it is not the file that the table means; names the file and what to do
  void check(StorageFile file, FileMetadata metadata) throws IOException;
}
