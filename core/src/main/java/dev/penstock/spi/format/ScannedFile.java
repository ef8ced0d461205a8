package dev.penstock.spi.format;

import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;

/// An open file of which it is kept what a pass over its bytes finds, so that a later run need not
/// read them.
///
/// A format whose metadata takes a pass over the file makes it with [#scan(StorageFile, Scan)].
/// What else it reads of the file for its metadata should be little: those bytes are kept.
///
/// **Threads.** As [StorageFile].
public interface ScannedFile extends AheadFile {
  /// A pass over a file.
  interface Scan {
    /// Makes the pass.
    ///
    /// @param file the file
    /// @return what it finds, in a form that the format can read again
    /// @throws IOException if the file cannot be read
    byte[] of(StorageFile file) throws IOException;
  }

  /// Makes a pass, or returns what an earlier one has found.
  ///
  /// @param scan the pass
  /// @return what it finds
  /// @throws IOException if the file cannot be read
  byte[] scan(Scan scan) throws IOException;

  /// Makes a pass over a file, or returns what an earlier one has found.
  ///
  /// @param file any open file, while its metadata is read
  /// @param scan the pass
  /// @return what it finds
  /// @throws IOException if the file cannot be read
  static byte[] scan(StorageFile file, Scan scan) throws IOException {
    return file instanceof ScannedFile scanned ? scanned.scan(scan) : scan.of(file);
  }
}
