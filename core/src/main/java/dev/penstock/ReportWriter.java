package dev.penstock;

import java.io.IOException;
import java.nio.file.Path;

/// Writes the page of [Loader#report]; found by `ServiceLoader` in the module `penstock-report`.
/// Not for users.
///
/// **Threads.** Safe for any.
public interface ReportWriter {
  /// Writes the page of a loader.
  ///
  /// @param loader what it is about
  /// @param file the file to write, or to replace
  /// @throws IOException if it cannot be written
  void write(Loader<?> loader, Path file) throws IOException;
}
