package dev.penstock.internal.memory;

import dev.penstock.spi.batch.BatchAllocator.Block;
import java.lang.foreign.MemorySegment;

/// One counted allocation that can be freed alone.
///
/// By default it has an arena of its own. Freeing costs a handshake with all threads, so blocks
/// live long, mostly as long as their loader.
public final class Allocation {
  private static final long ALIGNMENT = 64;

  private final MemoryMeter meter;
  private final Block block;
  private final Runnable unpin;

  /// Takes memory of this process that is not pinned. May wait, so hold no lock.
  ///
  /// @throws NoRoomException if the calling worker has to give up its memory first
  /// @throws dev.penstock.format.MemoryLimitException if it can never have that much
  public Allocation(MemoryMeter meter, long bytes) {
    this(meter, bytes, SlabSource.PLAIN);
  }

  /// Takes memory. May wait, so hold no lock.
  ///
  /// @param bytes how much; for pinned memory whole pages, see [Pinning#blockBytes]
  /// @throws NoRoomException if the calling worker has to give up its memory first
  /// @throws dev.penstock.format.MemoryLimitException if it can never have that much
  Allocation(MemoryMeter meter, long bytes, SlabSource source) {
    this.meter = meter;
    meter.add(bytes);
    try {
      Pinning pinning = source.pinning();
      this.block = source.allocator().allocate(bytes, pinning.alignment(ALIGNMENT));
      this.unpin = pinned(pinning, block);
    } catch (Throwable e) {
      meter.subtract(bytes);
      throw e;
    }
  }

  private static Runnable pinned(Pinning pinning, Block block) {
    try {
      return pinning.pin(block.memory());
    } catch (Throwable e) {
      block.free().run();
      throw e;
    }
  }

  /// Returns the memory, 64-byte aligned, of exactly the wanted size.
  public MemorySegment segment() {
    return block.memory();
  }

  /// Frees the memory. Call it once.
  public void free() {
    try {
      unpin.run();
    } finally {
      block.free().run();
      meter.subtract(block.memory().byteSize());
    }
  }
}
