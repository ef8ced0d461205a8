package dev.penstock.internal.pipeline;

/// How far workers may be ahead of the consumer.
///
/// @param batches how many batches may be filled or ready at once, at least 1
/// @param sideBytes how much may lie outside of the batches' slabs, as lists of any length do; when
///   it is more, only the next batch to be delivered is filled further
record ReadAhead(int batches, long sideBytes) {}
