package dev.penstock.spi.format;

import java.lang.foreign.MemorySegment;

/// The source of a reader's working memory. The memory is counted and reused by later readers.
///
/// **Threads.** One thread at a time.
public interface ScratchMemory {
  /// Takes off-heap memory. Its contents are undefined.
  ///
  /// @param bytes the least number of bytes; the caller must first check it against what the file
  ///   can really hold
  /// @return a segment of at least `bytes` bytes, 64-byte aligned
  MemorySegment take(long bytes);

  /// Returns memory from [#take]. Its slices must no longer be used.
  ///
  /// @param memory the same segment that [#take] returned
  void give(MemorySegment memory);

  /// Counts memory that a reader allocates elsewhere, such as an array on the heap. By default it
  /// is not counted.
  ///
  /// @param bytes how much, before it is allocated; negative once it is dropped
  default void count(long bytes) {}
}
