package dev.penstock.spi.format;

import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;

/// An open file for which the result of a pass over its bytes is kept, so that a later run need not
/// read them.
///
/// A format whose metadata takes a pass over the file makes it with [#scan(StorageFile, Scan)].
/// What else it reads of the file for its metadata should be little: those bytes are kept.
///
/// **Threads.** As [StorageFile].
public interface ScannedFile extends AheadFile {
  /// A pass over a file.
  interface Scan {
    /// {@return what the pass finds, in a form that the format can read again}
    ///
    /// @param file the file
    /// @throws IOException if the file cannot be read
    byte[] of(StorageFile file) throws IOException;
  }

  /// {@return what a pass over the file finds; if an earlier pass was kept, what that has found}
  ///
  /// @param scan the pass
  /// @throws IOException if the file cannot be read
  byte[] scan(Scan scan) throws IOException;

  /// {@return what a pass over a file finds; if an earlier pass was kept, what that has found}
  ///
  /// @param file any open file, while its metadata is read
  /// @param scan the pass
  /// @throws IOException if the file cannot be read
  static byte[] scan(StorageFile file, Scan scan) throws IOException {
    return file instanceof ScannedFile scanned ? scanned.scan(scan) : scan.of(file);
  }
}
