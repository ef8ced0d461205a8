package dev.penstock.internal.slices;

import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;

/// Working memory on the heap, freed by the garbage collector.
public final class HeapScratch implements ScratchMemory {
  @Override
  public MemorySegment take(long bytes) {
    return MemorySegment.ofArray(new long[Math.toIntExact(Math.ceilDiv(bytes, 8))]);
  }

  @Override
  public void give(MemorySegment memory) {
    // The garbage collector frees it.
  }
}
