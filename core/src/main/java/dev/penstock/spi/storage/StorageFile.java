package dev.penstock.spi.storage;

import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.LongConsumer;

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

  /// Fills a segment from the file, as [#read(long, MemorySegment)], and says how far it is.
  ///
  /// @param offset where in the file to start, in bytes
  /// @param target the memory to fill, all of it; native memory
  /// @param arrived told how many bytes at the start of `target` are filled, each time more
  /// @throws IOException as [#read(long, MemorySegment)]
  default void read(long offset, MemorySegment target, LongConsumer arrived) throws IOException {
    read(offset, target);
    arrived.accept(target.byteSize());
  }

  /// Returns how the file is best read: what waits for each request wants few of them, many at
  /// once.
  ///
  /// @return the advice of a store behind a network; empty where a read costs no more than its
  ///   bytes
  default Optional<FetchAdvice> advice() {
    return Optional.empty();
  }

  @Override
  void close() throws IOException;
}
