package dev.penstock.internal.memory;

import dev.penstock.spi.batch.BatchAllocator;

/// How the blocks that batches are cut from are made.
///
/// @param allocator where they lie
/// @param pinning how they are kept in place
public record BlockSource(BatchAllocator allocator, Pinning pinning) {
  /// Blocks of this process, not pinned.
  public static final BlockSource PLAIN = new BlockSource(BatchAllocator.ofProcess(), Pinning.NONE);

  /// Returns pinned blocks of this process.
  ///
  /// @param pinning how they are pinned
  public static BlockSource pinned(Pinning pinning) {
    return new BlockSource(BatchAllocator.ofProcess(), pinning);
  }
}
