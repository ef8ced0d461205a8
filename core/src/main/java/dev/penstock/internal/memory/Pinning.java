package dev.penstock.internal.memory;

import java.lang.foreign.MemorySegment;

/// Keeps memory where it is, for as long as a loader holds it: for a GPU that copies from it, or so
/// that the system does not swap it out.
///
/// It is done for blocks, once each, because it costs far more than to fill a batch. A block that
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

  /// What is pinned starts and ends at multiples of so much, the largest page of the machines in
  /// use: a page that two owners share would be let go by the first of them.
  long PAGE_BYTES = 64 << 10;

  /// Pins memory.
  ///
  /// @param pages whole pages
  /// @return what undoes it, to be run before the memory is freed; throws nothing
  Runnable pin(MemorySegment pages);

  /// Returns whether anything is pinned.
  ///
  /// @return false for [#NONE]
  default boolean pins() {
    return true;
  }

  /// Returns a pinning that does both.
  ///
  /// @param other what is done second and undone first
  /// @return the pinning
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
  /// @param bytes what is needed
  /// @return the same, or whole pages where memory is pinned
  default long blockBytes(long bytes) {
    return pins() ? Math.ceilDiv(bytes, PAGE_BYTES) * PAGE_BYTES : bytes;
  }

  /// Returns where a block starts.
  ///
  /// @param bytes what is needed anyway
  /// @return the alignment
  default long alignment(long bytes) {
    return pins() ? PAGE_BYTES : bytes;
  }
}
