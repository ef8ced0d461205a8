package dev.penstock.internal.memory;

import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;

/// Working memory for metadata of a file, before there are workers.
///
/// **Threads.** Only the one that made it.
public final class ArenaScratch implements ScratchMemory, AutoCloseable {
  private final IdentityHashMap<MemorySegment, Arena> taken = new IdentityHashMap<>();

  @Override
  public MemorySegment take(long bytes) {
    Arena arena = Arena.ofConfined();
    MemorySegment memory = arena.allocate(bytes, 64);
    taken.put(memory, arena);
    return memory;
  }

  @Override
  public void give(MemorySegment memory) {
    Arena arena = taken.remove(memory);
    if (arena != null) {
      arena.close();
    }
  }

  @Override
  public void close() {
    taken.values().forEach(Arena::close);
    taken.clear();
  }
}
