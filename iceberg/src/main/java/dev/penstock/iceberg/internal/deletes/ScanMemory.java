package dev.penstock.iceberg.internal.deletes;

import dev.penstock.format.MemoryLimitException;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.split.ByteSize;
import dev.penstock.storage.Location;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/// Working memory for one pass over a file; sizes are powers of two, so that returned memory can be
/// reused. It is bounded, because a file states how large its pages are.
///
/// **Ownership.** All of it is freed by [#close].
///
/// **Threads.** Only the one that made it.
final class ScanMemory implements ScratchMemory, AutoCloseable {
  private static final long ALIGNMENT = 64;

  /// Extra bytes after each segment, so that whole words can be read.
  private static final long PADDING = 64;

  private static final ByteSize MOST = new ByteSize(512 << 20);

  private final Location file;
  private final Arena arena = Arena.ofConfined();
  private final Map<Long, Deque<MemorySegment>> free = new HashMap<>();
  private long held; // in use or free, and counted elsewhere

  ScanMemory(Location file) {
    this.file = file;
  }

  @Override
  public MemorySegment take(long bytes) {
    long size = Math.max(1024, Long.highestOneBit(bytes + PADDING - 1) * 2);
    Deque<MemorySegment> fitting = free.get(size);
    if (fitting != null && !fitting.isEmpty()) {
      return fitting.pop();
    }
    count(size);
    return arena.allocate(size, ALIGNMENT);
  }

  /// @throws MemoryLimitException if the file needs too much
  @Override
  public void count(long bytes) {
    if (bytes > MOST.bytes() - held) {
      throw new MemoryLimitException(
          ("Cannot read '%s' to find deleted rows: it needs %s of memory at once but may"
                  + " need %s. Write it with smaller pages, or rewrite the table's data files.")
              .formatted(file, new ByteSize(held + bytes), MOST),
          held + bytes);
    }
    held += bytes;
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
