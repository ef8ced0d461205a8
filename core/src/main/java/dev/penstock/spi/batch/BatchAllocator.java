package dev.penstock.spi.batch;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Provides the memory that a loader's batches lie in, for example memory that another process maps
/// too. See [dev.penstock.options.LoaderOptions#batchAllocator].
///
/// A loader takes few and large blocks, cuts batches from them and reuses them; it counts them
/// against its memory limit itself.
///
/// **Threads.** Safe for any.
@FunctionalInterface
public interface BatchAllocator {
  /// A block of memory.
  ///
  /// @param memory the memory: off-heap, accessible by any thread
  /// @param free frees it; run once, by any thread, when no batch lies in it any more
  record Block(MemorySegment memory, Runnable free) {}

  /// {@return a block of exactly `bytes` bytes, with any contents}
  ///
  /// @param bytes its size, at least 1
  /// @param alignment its address is a multiple of this power of two
  /// @throws IllegalStateException if there is no room: ends the epoch with the exception's message
  Block allocate(long bytes, long alignment);

  /// {@return the default: memory of this process, an arena for each block}
  static BatchAllocator ofProcess() {
    return (bytes, alignment) -> {
      Arena arena = Arena.ofShared();
      try {
        return new Block(arena.allocate(bytes, alignment), arena::close);
      } catch (Throwable e) {
        arena.close();
        throw e;
      }
    };
  }
}
