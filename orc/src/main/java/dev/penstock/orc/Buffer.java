package dev.penstock.orc;

import dev.penstock.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Working memory that grows; what was there is lost when it does.
final class Buffer {
  private final ScratchMemory memory;
  private @Nullable MemorySegment taken;

  Buffer(ScratchMemory memory) {
    this.memory = memory;
  }

  /// Makes room.
  ///
  /// @param bytes how much
  /// @return at least so much
  MemorySegment ensure(long bytes) {
    if (taken == null || taken.byteSize() < bytes) {
      release();
      taken = memory.take(Math.max(64, bytes + (bytes >> 2)));
    }
    return taken;
  }

  void release() {
    if (taken != null) {
      memory.give(taken);
      taken = null;
    }
  }
}
