package dev.penstock.stats;

/// The batches between workers and consumer, seen at one moment.
///
/// @param ready batches that the consumer could take, once those before them are ready
/// @param filling batches that have some of their rows
/// @param capacity how many both may be together
public record BatchQueue(int ready, int filling, int capacity) {
  /// No batches, and room for none.
  public static final BatchQueue NONE = new BatchQueue(0, 0, 0);
}
