package dev.penstock;

/// What a [DataLoader] has done in one epoch so far, seen at one moment.
///
/// @param epoch the epoch, counted from 0
/// @param rows rows the consumer received
/// @param batches batches the consumer received
/// @param skipped rows that the filter left out
/// @param bytesRead bytes read from storage in this epoch
/// @param waitNanos how long the consumer waited for batches, in nanoseconds
/// @param memoryBytes the off-heap memory that the loader holds now, open batches included
/// @param peakMemoryBytes the most off-heap memory the loader has held at once since it was made
public record LoaderStats(
    long epoch,
    long rows,
    long batches,
    SkippedRows skipped,
    long bytesRead,
    long waitNanos,
    long memoryBytes,
    long peakMemoryBytes) {}
