package dev.penstock.internal.text;

import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Working memory for a single pass over a file before there are workers; all freed at the end.
public final class ArenaScratch implements ScratchMemory, AutoCloseable {
  private final Arena arena = Arena.ofConfined();

  /// Makes memory that holds nothing yet.
  public ArenaScratch() {}

  @Override
  public MemorySegment take(long bytes) {
    return arena.allocate(bytes, 64);
  }

  @Override
  public void give(MemorySegment memory) {}

  @Override
  public void close() {
    arena.close();
  }
}
