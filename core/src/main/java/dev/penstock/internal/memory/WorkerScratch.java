package dev.penstock.internal.memory;

import dev.penstock.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One worker's working memory: what a reader gives back serves the next reader.
///
/// A request is served by the smallest idle block that is large enough and at most
/// [#FIT_FACTOR_MAX] times too large. Idle memory beyond what the readers use at once, and a
/// quarter more, is freed, so a single giant page does not stay for ever.
///
/// **Threads.** One at a time; only idle memory may be freed, and what is held be asked, by any.
public final class WorkerScratch implements ScratchMemory, AutoCloseable {
  /// A block this many times the request is kept for a larger one.
  private static final int FIT_FACTOR_MAX = 2;

  /// Sizes are rounded up to a multiple of this, so that nearly equal requests share blocks.
  private static final long GRANULE_BYTES = 4096;

  private final MemoryMeter meter;
  private final Runnable freeing = this::freeIdle;

  // Guarded by this. Of a table with thousands of columns there are tens of thousands of blocks.
  private final Set<Block> idle = new LinkedHashSet<>(); // the oldest first
  private final NavigableMap<Long, Deque<Block>> idleBySize = new TreeMap<>();
  private final IdentityHashMap<MemorySegment, Block> taken = new IdentityHashMap<>();
  private long idleBytes;
  private long takenBytes;
  private long takenBytesPeak;

  /// Makes scratch memory that holds nothing yet.
  ///
  /// @param meter what counts it
  public WorkerScratch(MemoryMeter meter) {
    this.meter = meter;
    meter.onShortage(freeing);
  }

  @Override
  public MemorySegment take(long bytes) {
    long size = Math.max(GRANULE_BYTES, Math.ceilDiv(bytes, GRANULE_BYTES) * GRANULE_BYTES);
    Block block = pollIdle(size);
    return taken(block != null ? block : new Block(meter, size));
  }

  private synchronized MemorySegment taken(Block block) {
    taken.put(block.segment(), block);
    takenBytes += block.segment().byteSize();
    takenBytesPeak = Math.max(takenBytesPeak, takenBytes);
    return block.segment();
  }

  private synchronized @Nullable Block pollIdle(long size) {
    Map.Entry<Long, Deque<Block>> best = idleBySize.ceilingEntry(size);
    if (best == null || best.getKey() / FIT_FACTOR_MAX > size) {
      return null;
    }
    Block block = best.getValue().removeLast(); // the newest is the likeliest to be in the cache
    forget(block, best.getValue());
    return block;
  }

  private void freeOldest() {
    Block oldest = idle.iterator().next();
    Deque<Block> same = Objects.requireNonNull(idleBySize.get(oldest.segment().byteSize()));
    same.removeFirst(); // that is it
    forget(oldest, same);
    oldest.free();
  }

  /// Forgets an idle block.
  ///
  /// @param same the others of its size
  private void forget(Block block, Deque<Block> same) {
    long size = block.segment().byteSize();
    idle.remove(block);
    if (same.isEmpty()) {
      idleBySize.remove(size);
    }
    idleBytes -= size;
  }

  @Override
  public synchronized void give(MemorySegment memory) {
    Block block = taken.remove(memory);
    if (block == null) {
      throw new IllegalArgumentException("Cannot give back memory that was not taken here.");
    }
    takenBytes -= memory.byteSize();
    idle.add(block);
    idleBySize.computeIfAbsent(memory.byteSize(), _ -> new ArrayDeque<>()).addLast(block);
    idleBytes += memory.byteSize();
    // A quarter more, because blocks of one size do not serve requests of another: at the very
    // limit some would be freed and taken again with every run, and each time all threads be
    // stopped.
    while (idleBytes > takenBytesPeak + takenBytesPeak / 4) {
      freeOldest();
    }
  }

  private synchronized void freeIdle() {
    idle.forEach(Block::free);
    idle.clear();
    idleBySize.clear();
    idleBytes = 0;
  }

  /// Returns what readers have taken.
  synchronized long takenBytes() {
    return takenBytes;
  }

  /// Returns the most that readers have taken at once.
  synchronized long takenBytesPeak() {
    return takenBytesPeak;
  }

  /// Frees everything, also what was never given back.
  @Override
  public synchronized void close() {
    meter.forget(freeing);
    freeIdle();
    taken.values().forEach(Block::free);
    taken.clear();
    takenBytes = 0;
  }
}
