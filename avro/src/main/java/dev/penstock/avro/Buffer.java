package dev.penstock.avro;

import dev.penstock.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Working memory that grows and keeps what is there.
final class Buffer {
  private final ScratchMemory memory;
  private @Nullable MemorySegment taken;

  Buffer(ScratchMemory memory) {
    this.memory = memory;
  }

  /// Makes room.
  ///
  /// @param bytes how much
  /// @return at least so much; what was written before is still there
  MemorySegment ensure(long bytes) {
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

  void release() {
    if (taken != null) {
      memory.give(taken);
      taken = null;
    }
  }
}
