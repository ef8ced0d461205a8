package dev.penstock.storage;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// An open file, read by ranges.
///
/// **Ownership.** Whoever opened it closes it.
///
/// **Threads.** [#read] may be called by several threads at once; [#close] by one, when no read is
/// under way.
public interface StorageFile extends AutoCloseable {
  /// Returns where the file is.
  ///
  /// @return its location
  Location location();

  /// Returns the size of the file when it was opened.
  ///
  /// @return bytes
  long size();

  /// Returns a token that changes when the file's contents do, so that a file which was replaced
  /// between planning and reading is noticed.
  ///
  /// @return for example a version tag, or the time of the last change; the same for the same
  ///   contents
  String version();

  /// Fills a segment from the file.
  ///
  /// @param offset where in the file to start, in bytes
  /// @param target the memory to fill, all of it; native memory
  /// @throws IOException if the file ends before the segment is full, or cannot be read; the
  ///   message names the file and the range
  void read(long offset, MemorySegment target) throws IOException;

  @Override
  void close() throws IOException;
}
