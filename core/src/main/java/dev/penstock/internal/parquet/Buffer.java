package dev.penstock.internal.parquet;

import dev.penstock.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Working memory that grows.
///
/// Behind the bytes asked for there are always [#PADDING] more that may be read and overwritten, so
/// that kernels can load and store whole words at the end.
final class Buffer {
  static final int PADDING = 64;

  private final ScratchMemory memory;
  private @Nullable MemorySegment taken;

  Buffer(ScratchMemory memory) {
    this.memory = memory;
  }

  /// Returns all of the memory, padding included.
  MemorySegment segment() {
    return taken == null ? MemorySegment.NULL : taken;
  }

  /// Returns how many bytes fit, padding left out.
  long capacity() {
    return taken == null ? 0 : taken.byteSize() - PADDING;
  }

  /// Makes room for `bytes`; what was there is lost when the memory grows.
  MemorySegment ensure(long bytes) {
    if (taken == null || capacity() < bytes) {
      release();
      taken = memory.take(bytes + PADDING);
    }
    return taken;
  }

  /// Makes room for `bytes` and keeps the first `keep` of those there.
  MemorySegment grow(long bytes, long keep) {
    MemorySegment old = taken;
    if (old == null || keep == 0) {
      return ensure(bytes);
    }
    if (capacity() < bytes) {
      MemorySegment larger = memory.take(bytes + (bytes >> 2) + PADDING);
      MemorySegment.copy(old, 0, larger, 0, keep);
      memory.give(old);
      taken = larger;
      return larger;
    }
    return old;
  }

  void release() {
    if (taken != null) {
      memory.give(taken);
      taken = null;
    }
  }
}
