package dev.penstock.internal.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// One counted allocation with an arena of its own, so that it can be freed alone.
///
/// Freeing costs a handshake with all threads, so blocks live long, mostly as long as their loader.
public final class Allocation {
  private static final long ALIGNMENT = 64;

  private final MemoryMeter meter;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;
  private final Runnable unpin;

  /// Takes memory. May wait, so hold no lock.
  ///
  /// @param meter counts the memory
  /// @param bytes how much
  /// @throws NoRoomException if the calling worker has to give up its memory first
  /// @throws dev.penstock.format.MemoryLimitException if it can never have that much
  public Allocation(MemoryMeter meter, long bytes) {
    this(meter, bytes, Pinning.NONE);
  }

  /// Takes memory and pins it. May wait, so hold no lock.
  ///
  /// @param meter counts the memory
  /// @param bytes how much; for pinned memory whole pages, see [Pinning#blockBytes]
  /// @param pinning how it is pinned
  /// @throws NoRoomException if the calling worker has to give up its memory first
  /// @throws dev.penstock.format.MemoryLimitException if it can never have that much
  Allocation(MemoryMeter meter, long bytes, Pinning pinning) {
    this.meter = meter;
    meter.add(bytes);
    try {
      this.segment = arena.allocate(bytes, pinning.alignment(ALIGNMENT));
      this.unpin = pinning.pin(segment);
    } catch (Throwable e) {
      meter.subtract(bytes);
      throw e;
    }
  }

  /// Returns the memory, 64-byte aligned.
  ///
  /// @return a segment of exactly the wanted size
  public MemorySegment segment() {
    return segment;
  }

  /// Frees the memory. Call it once.
  public void free() {
    unpin.run();
    arena.close();
    meter.subtract(segment.byteSize());
  }
}
