package dev.penstock.internal.memory;

import java.util.HashMap;
import java.util.Map;

/// Where the batches of a loader take their memory from: slabs of one size, which every batch has,
/// and slabs of any size for what differs from batch to batch.
///
/// Sizes are rounded up, by at most a quarter above 16 KiB and to a power of two below, and slabs
/// of one size are reused. When another size is wanted and much is idle, the idle memory is freed
/// first: what is held follows what is in use when sizes drift.
///
/// **Threads.** Safe for any.
public final class BatchMemory implements AutoCloseable {
  private static final long STEPS_FROM_BYTES = 16 << 10;
  private static final long SIZE_MIN = 64;

  /// Small, because there is at least one for each size that was ever wanted.
  private static final long BLOCK_BYTES = 256 << 10;

  /// So much may always be idle; more only as long as no more is idle than in use.
  private static final long IDLE_BYTES = 64L << 20;

  private final MemoryMeter meter;
  private final SlabPool fixed;
  private final Map<Long, SlabPool> bySize = new HashMap<>();
  private boolean closed;

  /// Makes the memory of a loader; it holds nothing yet.
  ///
  /// @param meter what counts it
  /// @param slabBytes the size of what every batch has, at least 0
  public BatchMemory(MemoryMeter meter, long slabBytes) {
    this.meter = meter;
    this.fixed = new SlabPool(meter, slabBytes);
  }

  /// Takes the slab that every batch has.
  ///
  /// @return the slab
  /// @throws IllegalStateException if the loader is closed
  public SlabPool.Slab take() {
    return fixed.acquire();
  }

  /// Takes a slab of any size.
  ///
  /// @param bytes how much is needed, at least 0
  /// @return a slab of at least so much
  /// @throws IllegalStateException if the loader is closed
  public synchronized SlabPool.Slab take(long bytes) {
    if (closed) {
      throw new IllegalStateException("Cannot take memory: the loader is closed.");
    }
    SlabPool pool =
        bySize.computeIfAbsent(rounded(bytes), size -> new SlabPool(meter, size, BLOCK_BYTES));
    if (!pool.hasIdle()) {
      trim();
    }
    return pool.acquire();
  }

  private static long rounded(long bytes) {
    if (bytes <= STEPS_FROM_BYTES) {
      return bytes <= SIZE_MIN ? SIZE_MIN : Long.highestOneBit(bytes - 1) << 1;
    }
    long step = Long.highestOneBit(bytes) >>> 2;
    return Math.multiplyExact(Math.ceilDiv(bytes, step), step);
  }

  private void trim() {
    long idle = bySize.values().stream().mapToLong(SlabPool::idleBytes).sum();
    long taken = bySize.values().stream().mapToLong(SlabPool::takenBytes).sum();
    if (idle > Math.max(IDLE_BYTES, taken)) {
      bySize.values().forEach(SlabPool::trim);
    }
  }

  /// Frees what is not taken; the rest follows when it is given back.
  @Override
  public synchronized void close() {
    closed = true;
    fixed.close();
    bySize.values().forEach(SlabPool::close);
  }
}
