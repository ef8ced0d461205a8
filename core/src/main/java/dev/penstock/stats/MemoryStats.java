package dev.penstock.stats;

/// The off-heap memory of a loader, seen at one moment.
///
/// @param bytes what it holds now, open batches included
/// @param peakBytes the most it has held at once since it was made
public record MemoryStats(long bytes, long peakBytes) {}
