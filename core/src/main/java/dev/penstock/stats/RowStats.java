package dev.penstock.stats;

/// What a [dev.penstock.RowDataset] has done since it was opened, as a snapshot.
///
/// @param blocksRead blocks of rows that were decoded
/// @param blocksReused how often a block was in the cache when rows of it were wanted
/// @param bytesRead bytes read from storage, footers left out
/// @param cachedBytes the off-heap memory of the blocks in the cache
/// @param memoryBytes all off-heap memory that is held now
/// @param peakMemoryBytes the most that was held at once
public record RowStats(
    long blocksRead,
    long blocksReused,
    long bytesRead,
    long cachedBytes,
    long memoryBytes,
    long peakMemoryBytes) {}
