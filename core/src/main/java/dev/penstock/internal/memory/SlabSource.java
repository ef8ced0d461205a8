package dev.penstock.internal.memory;

import dev.penstock.spi.batch.BatchAllocator;

/// How the blocks that batches are cut from are made.
public record SlabSource(BatchAllocator allocator, Pinning pinning) {
  /// Blocks of this process, not pinned.
  public static final SlabSource PLAIN = new SlabSource(BatchAllocator.ofProcess(), Pinning.NONE);
}
