package dev.penstock.stats;

/// The off-heap memory of a loader, seen at one moment.
///
/// @param bytes what it holds now, open batches included
/// @param peakBytes the most it has held at once since it was made
/// @param limitBytes the most it may take, without open batches; [Long#MAX_VALUE] for no limit
public record MemoryStats(long bytes, long peakBytes, long limitBytes) {}
