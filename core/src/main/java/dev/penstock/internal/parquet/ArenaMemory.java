package dev.penstock.internal.parquet;

import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Memory for small or short-lived data, freed all at once.
record ArenaMemory(Arena arena) implements ScratchMemory {
  @Override
  public MemorySegment take(long bytes) {
    return arena.allocate(bytes, 64);
  }

  @Override
  public void give(MemorySegment memory) {
    // Freed with the arena.
  }
}
