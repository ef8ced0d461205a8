package dev.penstock.internal.deliver;

/// How far workers may be ahead of the consumer.
///
/// @param batches how many batches may be filled or ready at once, at least 1
/// @param abreast the same where workers share the rows of a run: batches of which each has written
///   its part while others have not would leave the cache, so a worker ahead waits for them, unless
///   that is so often that their parts cannot be equal; at most `batches`
/// @param sideBytes how much may lie outside of the batches' slabs, as lists of any length do; when
///   it is more, only the next batch to be delivered is filled further
/// @param results how many results of a user's function may be ready or being made by workers,
///   since nobody knows their size; 0 where the consumer makes them
public record ReadAhead(int batches, int abreast, long sideBytes, int results) {
  /// Makes one for workers that share no rows.
  ///
  /// @param batches how many batches may be filled or ready at once, at least 1
  /// @param sideBytes how much may lie outside of the batches' slabs
  /// @param results how many results of a user's function may be ready or being made
  public ReadAhead(int batches, long sideBytes, int results) {
    this(batches, batches, sideBytes, results);
  }
}
