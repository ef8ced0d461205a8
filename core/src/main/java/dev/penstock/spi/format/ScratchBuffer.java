package dev.penstock.spi.format;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Growing working memory of a reader.
///
/// **Ownership.** Owns its memory until [#release()].
///
/// **Threads.** One at a time.
public final class ScratchBuffer {
  private final ScratchMemory memory;
  private @Nullable MemorySegment taken;

  /// Makes a buffer that holds nothing yet.
  ///
  /// @param memory the source of its memory
  public ScratchBuffer(ScratchMemory memory) {
    this.memory = memory;
  }

  /// Makes room; the contents are lost if the memory grows.
  ///
  /// @param bytes how much
  /// @return at least that many bytes
  public MemorySegment ensure(long bytes) {
    if (taken == null || taken.byteSize() < bytes) {
      release();
      taken = memory.take(Math.max(64, bytes + (bytes >> 2)));
    }
    return taken;
  }

  /// Makes room and keeps the contents.
  ///
  /// @param bytes how much
  /// @return at least that many bytes
  public MemorySegment grow(long bytes) {
    MemorySegment old = taken;
    if (old != null && old.byteSize() >= bytes) {
      return old;
    }
    MemorySegment larger = memory.take(Math.max(64, bytes + (bytes >> 1)));
    if (old != null) {
      MemorySegment.copy(old, 0, larger, 0, old.byteSize());
      memory.give(old);
    }
    taken = larger;
    return larger;
  }

  /// Returns the memory. May be called twice.
  public void release() {
    if (taken != null) {
      memory.give(taken);
      taken = null;
    }
  }
}
