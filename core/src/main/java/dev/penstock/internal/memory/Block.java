package dev.penstock.internal.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// One counted allocation with an arena of its own, so that it can be freed alone.
///
/// Freeing costs a handshake with all threads: blocks live long, or as long as their loader.
final class Block {
  private static final long ALIGNMENT = 64;

  private final MemoryMeter meter;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;

  Block(MemoryMeter meter, long bytes) {
    this.meter = meter;
    this.segment = arena.allocate(bytes, ALIGNMENT);
    meter.add(bytes);
  }

  MemorySegment segment() {
    return segment;
  }

  void free() {
    arena.close();
    meter.subtract(segment.byteSize());
  }
}
