package dev.penstock.stats;

/// What a loader read before an epoch, to know or to keep something of its rows.
///
/// @param purpose what for, as `count the rows that match`; its words may change
/// @param rows rows to read, before a filter
/// @param rowsRead of these, those in parts of files that were read to their end
/// @param bytesRead bytes that were read from storage
/// @param nanos how long it has taken so far, in nanoseconds
public record PassStats(String purpose, long rows, long rowsRead, long bytesRead, long nanos) {}
