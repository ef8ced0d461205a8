package dev.penstock.benchmarks.formats;

import java.nio.file.Path;

/// Reads files with some library. Used by several threads, each with files of its own; found as a
/// service.
public interface FormatReader {
  /// {@return the library's name, as benchmarks print it}
  String name();

  /// Reads a file whole.
  ///
  /// @param file the file, of a format that the library reads
  /// @return its columns
  /// @throws Exception if it cannot be read
  Columns read(Path file) throws Exception;
}
