package dev.penstock.internal.decode;

import dev.penstock.internal.clock.ClockedEpoch;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.workers.WorkerPool;

/// The workers and the memory that an epoch may use.
///
/// @param pool the workers, or the consumer that works in their place
/// @param workers how many workers there are; 0 to decode on the consumer's thread
/// @param decoding how many of them decode at first; the others are parked
public record EpochResources(
    WorkerPool pool, int workers, int decoding, MemoryMeter meter, ClockedEpoch clocked) {
  /// The memory assumed for a run's reader until the first one is measured.
  static final long READER_BYTES = 8L << 20;

  public EpochResources(WorkerPool pool, int workers, int decoding, MemoryMeter meter) {
    this(pool, workers, decoding, meter, ClockedEpoch.NONE);
  }

  /// Returns how many readers of workers that decode are likely to fit into memory at once.
  int readers() {
    return (int) Math.min(decoding, meter.limit() / READER_BYTES);
  }
}
