package dev.penstock.spi.storage;

import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.function.LongConsumer;

/// An open file, read by ranges.
///
/// **Ownership.** The caller that opened it closes it.
///
/// **Threads.** [#read] may be called by several threads at once; [#close] by one, when no read is
/// under way.
public interface StorageFile extends AutoCloseable {
  /// Begins the part of a [#version] that a copy of the file does not have, such as where it is. A
  /// state leaves this part out, so that a run can be resumed where its files were copied to.
  String HERE = ", here ";

  /// {@return where the file is}
  Location location();

  /// {@return the size of the file in bytes when it was opened}
  long size();

  /// {@return a token that changes with the file's contents, so that a file replaced between
  /// planning and reading is noticed: a version tag, the time of the last change or similar, the
  /// same for the same contents. It may end with [#HERE] and what holds only in this place}
  String version();

  /// Fills a segment from the file.
  ///
  /// @param offset where in the file to start, in bytes
  /// @param target the memory to fill, all of it; native memory
  /// @return how many bytes were filled, from the start of `target`: all, unless the file ends
  ///   before. A format need not look: in the files that it gets, fewer are an exception
  /// @throws IOException if the file cannot be read; the message names the file and the range
  long read(long offset, MemorySegment target) throws IOException;

  /// Fills a segment from the file, as [#read(long, MemorySegment)], and reports progress.
  ///
  /// @param offset where in the file to start, in bytes
  /// @param target the memory to fill, all of it; native memory
  /// @param arrived called with the number of bytes filled at the start of `target`, each time a
  ///   larger one
  /// @return as [#read(long, MemorySegment)]
  /// @throws IOException as [#read(long, MemorySegment)]
  default long read(long offset, MemorySegment target, LongConsumer arrived) throws IOException {
    long filled = read(offset, target);
    arrived.accept(filled);
    return filled;
  }

  /// {@return a part of the file, for what is small or not decoded in place}
  ///
  /// @param offset where in the file to start, in bytes
  /// @param length how many bytes, at least 0
  /// @throws IOException as [#read(long, MemorySegment)]
  default byte[] bytes(long offset, int length) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(length);
      if (length > 0) {
        read(offset, target);
      }
      return target.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  /// {@return how best to read the file: where each request has to wait, few requests, many at
  /// once, are best; empty if a read costs no more than its bytes}
  default Optional<FetchAdvice> advice() {
    return Optional.empty();
  }

  /// {@return how many requests of its reads were repeated so far because an earlier one failed; 0
  /// if reads are not retried}
  default long retries() {
    return 0;
  }

  @Override
  void close() throws IOException;
}
