package dev.penstock.iceberg.internal.files;

import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;

/// Opens the files that a table's metadata names.
///
/// **Threads.** Any number at once.
public interface ReadFiles {
  /// Opens a file.
  StorageFile open(String path) throws IOException;

  /// Looks up a file.
  ///
  /// @throws IOException if it cannot be read, or does not exist
  FileEntry stat(String path) throws IOException;

  /// Returns the store that holds a file; it opens files with their real size, whatever the table's
  /// metadata states.
  Storage store(String path);
}
