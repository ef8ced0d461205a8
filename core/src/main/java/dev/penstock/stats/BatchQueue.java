package dev.penstock.stats;

/// A snapshot of the batches between workers and consumer.
///
/// @param ready batches that the consumer can take once those before them are ready
/// @param filling batches that have some of their rows
/// @param capacity the maximum of both together
public record BatchQueue(int ready, int filling, int capacity) {
  /// No batches, and no room for any.
  public static final BatchQueue NONE = new BatchQueue(0, 0, 0);
}
