package dev.penstock.options;

import dev.penstock.spi.batch.BatchAllocator;
import dev.penstock.split.ByteSize;
import java.util.Objects;
import java.util.Optional;

/// How much off-heap memory a loader takes, and how it treats the memory of batches.
///
/// @param limit the most that the loader may take; empty for [#limitFor]
/// @param pin whether batches lie in pinned memory, from which a GPU copies by itself
/// @param lock whether the memory of batches is kept from being swapped out
/// @param poison whether the memory of closed batches is overwritten
/// @param allocator where batches lie; empty for memory of this process
public record MemoryUse(
    Optional<ByteSize> limit,
    boolean pin,
    boolean lock,
    boolean poison,
    Optional<BatchAllocator> allocator) {
  /// A limit that depends on the workers; nothing is pinned, locked or overwritten.
  static final MemoryUse DEFAULTS =
      new MemoryUse(Optional.empty(), false, false, false, Optional.empty());

  private static final long BYTES = 512L << 20;
  private static final long WORKER_BYTES = 64L << 20;

  /// Throws [IllegalArgumentException] if the limit is 0.
  public MemoryUse {
    Objects.requireNonNull(limit, "memory must not be null.");
    Objects.requireNonNull(allocator, "allocator must not be null.");
    if (limit.isPresent() && limit.get().bytes() <= 0) {
      throw new IllegalArgumentException("memory must be more than 0 bytes.");
    }
  }

  /// {@return the most off-heap memory that a loader may take: [#limit()]; if empty, 512 MiB plus
  /// 64 MiB per worker}
  ///
  /// @param workers the loader's number of workers
  public ByteSize limitFor(int workers) {
    return limit.orElseGet(() -> new ByteSize(BYTES + WORKER_BYTES * workers));
  }

  MemoryUse withLimit(ByteSize size) {
    return new MemoryUse(
        Optional.of(Objects.requireNonNull(size, "memory must not be null.")),
        pin,
        lock,
        poison,
        allocator);
  }

  MemoryUse withPin(boolean on) {
    return new MemoryUse(limit, on, lock, poison, allocator);
  }

  MemoryUse withLock(boolean on) {
    return new MemoryUse(limit, pin, on, poison, allocator);
  }

  MemoryUse withPoison(boolean on) {
    return new MemoryUse(limit, pin, lock, on, allocator);
  }

  MemoryUse withAllocator(BatchAllocator choice) {
    return new MemoryUse(
        limit,
        pin,
        lock,
        poison,
        Optional.of(Objects.requireNonNull(choice, "allocator must not be null.")));
  }
}
