package dev.penstock.internal.deliver;

/// How far workers may be ahead of the consumer.
///
/// @param batches how many batches may be filled or ready at once, at least 1
/// @param abreast the same where workers share the rows of a run, at most `batches`: batches that
///   only some workers have written would leave the cache, so a worker ahead waits for the others,
///   unless it waits so often that their parts cannot be equal
/// @param sideBytes bytes that may lie outside of the batches' slabs, as lists of any length do;
///   beyond this, only the next batch to be delivered is filled further
/// @param results how many results of a user's function, whose size is unknown, workers may have
///   ready or in progress; 0 where the consumer makes them
public record ReadAhead(int batches, int abreast, long sideBytes, int results) {
  /// Returns the limits for workers that do not share rows.
  public ReadAhead(int batches, long sideBytes, int results) {
    this(batches, batches, sideBytes, results);
  }
}
