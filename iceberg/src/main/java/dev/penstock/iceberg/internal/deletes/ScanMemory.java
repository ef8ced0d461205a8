package dev.penstock.iceberg.internal.deletes;

import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/// Working memory for one pass over a file; sizes are powers of two, so that returned memory can be
/// reused.
///
/// **Ownership.** All of it is freed by [#close].
///
/// **Threads.** Only the one that made it.
final class ScanMemory implements ScratchMemory, AutoCloseable {
  private static final long ALIGNMENT = 64;

  /// Extra bytes after each segment, so that whole words can be read.
  private static final long PADDING = 64;

  private final Arena arena = Arena.ofConfined();
  private final Map<Long, Deque<MemorySegment>> free = new HashMap<>();

  @Override
  public MemorySegment take(long bytes) {
    long size = Math.max(1024, Long.highestOneBit(bytes + PADDING - 1) * 2);
    Deque<MemorySegment> fitting = free.get(size);
    return fitting == null || fitting.isEmpty() ? arena.allocate(size, ALIGNMENT) : fitting.pop();
  }

  @Override
  public void give(MemorySegment memory) {
    free.computeIfAbsent(memory.byteSize(), _ -> new ArrayDeque<>()).push(memory);
  }

  @Override
  public void close() {
    arena.close();
  }
}
