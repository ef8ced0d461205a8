package dev.penstock.spi.format;

import java.lang.foreign.MemorySegment;

/// Where a reader takes its working memory from. The memory is counted and reused by later readers.
///
/// **Threads.** One thread at a time.
public interface ScratchMemory {
  /// Takes off-heap memory. Its contents are undefined.
  ///
  /// @param bytes how much is needed at least, in bytes; checked by the caller against what a file
  ///   can really hold before it asks
  /// @return a segment of at least `bytes` bytes, 64-byte aligned
  MemorySegment take(long bytes);

  /// Gives back what [#take] returned. Slices of it must not be used any more.
  ///
  /// @param memory the very segment that [#take] returned
  void give(MemorySegment memory);
}
