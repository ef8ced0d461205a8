package dev.penstock.internal.memory;

import java.lang.foreign.MemorySegment;

/// Keeps memory in place as long as a loader holds it: for a GPU that copies from it, or so that
/// the system does not swap it out.
///
/// Each block is pinned once, because pinning costs far more than filling a batch. A block that
/// cannot be pinned is used as it is.
///
/// **Threads.** Safe for any.
@FunctionalInterface
public interface Pinning {
  /// Leaves memory as it is.
  Pinning NONE =
      new Pinning() {
        @Override
        public Runnable pin(MemorySegment pages) {
          return () -> {};
        }

        @Override
        public boolean pins() {
          return false;
        }
      };

  /// Pinned memory starts and ends at multiples of this, the largest common page size: a page
  /// shared by two owners would be unpinned by the first to free it.
  long PAGE_BYTES = 64 << 10;

  /// Pins memory.
  ///
  /// @param pages whole pages
  /// @return an action that unpins it, to be run before the memory is freed; throws nothing
  Runnable pin(MemorySegment pages);

  /// Returns whether anything is pinned.
  ///
  /// @return false for [#NONE]
  default boolean pins() {
    return true;
  }

  /// Returns a pinning that does both.
  ///
  /// @param other pins second and unpins first
  default Pinning and(Pinning other) {
    if (!pins() || !other.pins()) {
      return pins() ? this : other;
    }
    return pages -> {
      Runnable first = pin(pages);
      Runnable second = other.pin(pages);
      return () -> {
        second.run();
        first.run();
      };
    };
  }

  /// Returns the size of a block.
  ///
  /// @param bytes the bytes needed
  /// @return the same, or whole pages if memory is pinned
  default long blockBytes(long bytes) {
    return pins() ? Math.ceilDiv(bytes, PAGE_BYTES) * PAGE_BYTES : bytes;
  }

  /// Returns where a block starts.
  ///
  /// @param bytes the minimum alignment
  default long alignment(long bytes) {
    return pins() ? PAGE_BYTES : bytes;
  }
}
