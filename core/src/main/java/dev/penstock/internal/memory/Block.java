package dev.penstock.internal.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// One counted allocation with an arena of its own, so that it can be freed alone.
///
/// Freeing costs a handshake with all threads: blocks live long, or as long as their loader.
public final class Block {
  private static final long ALIGNMENT = 64;

  private final MemoryMeter meter;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;

  /// Takes memory. May wait, so no lock is to be held.
  ///
  /// @param meter what counts it
  /// @param bytes how much
  /// @throws NoRoomException if the calling worker has to give up what it holds first
  /// @throws dev.penstock.format.MemoryLimitException if it can never have so much
  public Block(MemoryMeter meter, long bytes) {
    this.meter = meter;
    meter.add(bytes);
    try {
      this.segment = arena.allocate(bytes, ALIGNMENT);
    } catch (Throwable e) {
      meter.subtract(bytes);
      throw e;
    }
  }

  /// Returns the memory, 64-byte aligned.
  ///
  /// @return a segment of just the wanted size
  public MemorySegment segment() {
    return segment;
  }

  /// Frees the memory. To be called once.
  public void free() {
    arena.close();
    meter.subtract(segment.byteSize());
  }
}
