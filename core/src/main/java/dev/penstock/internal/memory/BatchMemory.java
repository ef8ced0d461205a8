package dev.penstock.internal.memory;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/// The memory for a loader's batches: a slab of fixed size for each batch, and slabs of any size
/// for parts that differ from batch to batch.
///
/// Sizes are rounded up, by at most a quarter above 16 KiB and to a power of two below, and slabs
/// of one size are reused. When another size is wanted and much memory is idle, the idle memory is
/// freed first, so that the memory held follows the memory in use when sizes drift.
///
/// **Threads.** Safe for any.
public final class BatchMemory implements AutoCloseable {
  private static final long STEPS_FROM_BYTES = 16 << 10;
  private static final long SIZE_MIN = 64;

  /// The block size that slabs of any size are cut from: small, because there is at least one block
  /// for each size that was ever wanted.
  private static final long BLOCK_BYTES = 256 << 10;

  /// A block that slabs share is at most this fraction (1/n) of the limit: it cannot be freed while
  /// one of them is taken.
  private static final long BLOCKS_MIN = 256;

  /// This much, or an eighth of the limit if that is less, may always be idle; more only if at
  /// least as much is in use.
  private static final long IDLE_BYTES = 64L << 20;

  private final MemoryMeter meter;
  private final SlabSource source;
  private final Runnable trimming = this::freeIdle;
  private final long blockBytes;
  private final long reserve; // for each batch
  private final SlabPool fixed;
  private final Map<Long, SlabPool> bySize = new HashMap<>();
  private boolean closed;
  private boolean poisons;

  public BatchMemory(MemoryMeter meter, long slabBytes) {
    this(meter, slabBytes, 0, SlabSource.PLAIN);
  }

  /// @param slabBytes the size of each batch's fixed slab, at least 0
  /// @param columnsInParts how many columns of a batch may be joined from parts
  public BatchMemory(MemoryMeter meter, long slabBytes, int columnsInParts, SlabSource source) {
    this.meter = meter;
    this.source = source;
    long sharedBytesMax = Math.max(SIZE_MIN, meter.limit() / BLOCKS_MIN);
    this.blockBytes = source.pinning().blockBytes(Math.min(BLOCK_BYTES, sharedBytesMax));
    this.reserve = columnsInParts * blockBytes;
    this.fixed =
        new SlabPool(meter, slabBytes, Math.min(SlabPool.BLOCK_BYTES, sharedBytesMax), source);
    meter.onShortage(trimming);
  }

  /// Overwrites memory when it is given back, so that code that still reads it gets nonsense.
  public synchronized BatchMemory poison(boolean on) {
    poisons |= on;
    if (on) {
      fixed.poison();
      bySize.values().forEach(SlabPool::poison);
    }
    return this;
  }

  private SlabPool newPool(long size) {
    SlabPool pool = new SlabPool(meter, size, blockBytes, source);
    if (poisons) {
      pool.poison();
    }
    return pool;
  }

  private synchronized void freeIdle() {
    fixed.trim();
    bySize.values().forEach(SlabPool::trim);
  }

  /// Returns the most memory that taking a batch's slab may cost.
  public long batchBytes() {
    return fixed.blockBytes() + reserve;
  }

  /// Returns for how many of the `wanted` further batches a worker may take memory now.
  public long affordable(long wanted) {
    long bytes = batchBytes();
    long spare = MemoryTurn.spare(wanted * bytes);
    long next = fixed.hasIdle() ? reserve : bytes; // 0 if it takes no more memory
    return Math.max(spare / bytes, next == 0 || spare >= next ? 1 : 0);
  }

  /// Takes a batch's fixed slab, and reserves the memory for joining its columns from parts. May
  /// wait, so hold no lock.
  ///
  /// @throws IllegalStateException if the loader is closed
  public SlabPool.Slab take() {
    return MemoryTurn.beginBatch(() -> reserving(reserve, fixed::acquire));
  }

  private SlabPool.Slab reserving(long bytes, Supplier<SlabPool.Slab> take) {
    meter.reserve(bytes);
    try {
      SlabPool.Slab slab = take.get();
      slab.reserved(bytes);
      return slab;
    } catch (Throwable e) {
      meter.uncharge(bytes);
      throw e;
    }
  }

  /// Takes a slab of at least some size. May wait, so hold no lock.
  ///
  /// @throws IllegalStateException if the loader is closed
  public SlabPool.Slab take(long bytes) {
    return pool(bytes).acquire();
  }

  /// Takes a slab of at least some size for rows that will be joined with others, and reserves the
  /// memory for that. See [SlabPool.Slab#unreserve()].
  ///
  /// @throws IllegalStateException if the loader is closed
  public SlabPool.Slab takePart(long bytes) {
    long whole = rounded(Math.addExact(bytes, bytes >> 2)); // rounded again, as part of the whole
    return reserving(whole, () -> take(bytes));
  }

  private synchronized SlabPool pool(long bytes) {
    if (closed) {
      throw new IllegalStateException("Cannot take memory: the loader is closed.");
    }
    SlabPool pool = bySize.computeIfAbsent(rounded(bytes), this::newPool);
    if (!pool.hasIdle()) {
      trim();
    }
    return pool;
  }

  /// Stops charging memory to the loader that the consumer received.
  public void handOver(long bytes) {
    meter.uncharge(bytes);
  }

  /// Charges memory to the loader again that the consumer is about to give back.
  public void takeBack(long bytes) {
    meter.charge(bytes);
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
    if (idle > Math.max(Math.min(IDLE_BYTES, meter.limit() / 8), taken)) {
      bySize.values().forEach(SlabPool::trim);
    }
  }

  /// Frees all idle memory; the rest is freed when it is given back.
  @Override
  public synchronized void close() {
    closed = true;
    meter.forget(trimming);
    fixed.close();
    bySize.values().forEach(SlabPool::close);
  }
}
