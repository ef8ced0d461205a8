package dev.penstock.internal.decode;

import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.workers.WorkerPool;

/// The workers and the memory that an epoch may use.
///
/// @param pool the workers, or the consumer that works in their place
/// @param workers how many workers there are; 0 to decode on the consumer's thread
/// @param meter has the limit of all memory
public record EpochMeans(WorkerPool pool, int workers, MemoryMeter meter) {
  /// The memory assumed for a run's reader until the first one is measured.
  static final long READER_BYTES = 8L << 20;

  /// Returns how many readers are likely to fit into memory at once.
  int readers() {
    return (int) Math.min(workers, meter.limit() / READER_BYTES);
  }
}
