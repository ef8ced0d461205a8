package dev.penstock.internal.memory;

import dev.penstock.spi.batch.BatchAllocator;

/// How the blocks that batches are cut from are made.
public record BlockSource(BatchAllocator allocator, Pinning pinning) {
  /// Blocks of this process, not pinned.
  public static final BlockSource PLAIN = new BlockSource(BatchAllocator.ofProcess(), Pinning.NONE);
}
