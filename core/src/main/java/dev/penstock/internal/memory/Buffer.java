package dev.penstock.internal.memory;

import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Working memory that grows.
///
/// [#PADDING] more bytes after the requested ones may always be read and overwritten, so that
/// kernels can load and store whole words at the end.
public final class Buffer {
  /// How many bytes follow the requested ones.
  public static final int PADDING = 64;

  private final ScratchMemory memory;
  private @Nullable MemorySegment taken;

  public Buffer(ScratchMemory memory) {
    this.memory = memory;
  }

  /// Returns all of the memory, including padding; empty before the first request.
  public MemorySegment segment() {
    return taken == null ? MemorySegment.NULL : taken;
  }

  public long capacity() {
    return taken == null ? 0 : taken.byteSize() - PADDING;
  }

  /// Makes room; the contents are lost when the memory grows. Returns [#segment()].
  public MemorySegment ensure(long bytes) {
    if (taken == null || capacity() < bytes) {
      release();
      taken = memory.take(bytes + PADDING);
    }
    return taken;
  }

  /// Makes room and keeps at least the first `keep` bytes. Returns [#segment()].
  public MemorySegment grow(long bytes, long keep) {
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

  public void release() {
    if (taken != null) {
      memory.give(taken);
      taken = null;
    }
  }
}
