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

  /// Pins whole pages. Returns an action that unpins them, to be run before the memory is freed; it
  /// throws nothing.
  Runnable pin(MemorySegment pages);

  default boolean pins() {
    return true;
  }

  /// Returns a pinning that does both: the other one pins second and unpins first.
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

  /// Returns the size of a block that has room for `bytes`: whole pages if memory is pinned.
  default long blockBytes(long bytes) {
    return pins() ? Math.ceilDiv(bytes, PAGE_BYTES) * PAGE_BYTES : bytes;
  }

  /// Returns the alignment of a block, at least the given one.
  default long alignment(long bytes) {
    return pins() ? PAGE_BYTES : bytes;
  }
}
