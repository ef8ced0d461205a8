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
  ///
  /// @param path as the table's metadata names it
  /// @return the open file, to be closed by the caller
  StorageFile open(String path) throws IOException;

  /// Looks at a file.
  ///
  /// @param path as the table's metadata names it
  /// @return where it is and how long
  /// @throws IOException if there is none, too
  FileEntry stat(String path) throws IOException;

  /// Returns the store that has a file; it opens a file by what is really there, whatever size the
  /// table's metadata states.
  ///
  /// @param path as the table's metadata names it
  Storage store(String path);
}
