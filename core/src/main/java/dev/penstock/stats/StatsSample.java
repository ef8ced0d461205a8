package dev.penstock.stats;

/// Some of a loader's numbers at one moment of an epoch.
///
/// @param atNanos when, in nanoseconds since the epoch began
/// @param rows rows the consumer has received so far
/// @param batches batches it has received so far
/// @param bytes bytes read from storage so far
/// @param memoryBytes the off-heap memory that the loader holds
/// @param queue the batches that are ready and being filled
public record StatsSample(
    long atNanos, long rows, long batches, long bytes, long memoryBytes, BatchQueue queue) {}
