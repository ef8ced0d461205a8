package dev.penstock.stats;

/// A pass over rows that a loader made before an epoch: to count them, to find a vocabulary, to
/// fill a cache, or to put them on piles for a shuffle. It may still be running.
///
/// @param purpose why, for people to read: `count the rows that match`; its words may change
/// @param rows how many rows the pass reads, before a filter
/// @param rowsRead how many of them it has read so far; `rowsRead / rows` is its progress
/// @param bytesRead bytes that were read from storage
/// @param nanos how long it has taken so far, in nanoseconds
public record PassStats(String purpose, long rows, long rowsRead, long bytesRead, long nanos) {}
