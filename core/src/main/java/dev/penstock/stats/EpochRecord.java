package dev.penstock.stats;

/// What a loader did in an epoch, and when.
///
/// @param stats the numbers
/// @param timeline what happened when; empty without
///   [dev.penstock.options.LoaderOptions#record(boolean)]
public record EpochRecord(LoaderStats stats, Timeline timeline) {}
