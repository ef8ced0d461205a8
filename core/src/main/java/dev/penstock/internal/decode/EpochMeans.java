package dev.penstock.internal.decode;

import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.workers.WorkerPool;

/// What an epoch may use.
///
/// @param pool the workers, or the consumer that works in their place
/// @param workers how many workers there are; 0 to decode on the consumer's thread
/// @param meter has the limit of all memory
public record EpochMeans(WorkerPool pool, int workers, MemoryMeter meter) {
  /// A guess of what the reader of a run needs, until one was seen.
  static final long READER_BYTES = 8L << 20;

  /// Returns how many readers there is likely to be memory for at once, of as many as are wanted.
  int readers() {
    return (int) Math.min(workers, meter.limit() / READER_BYTES);
  }
}
