package dev.penstock.stats;

import dev.penstock.steps.StepsReceived;
import java.util.Optional;

/// What a loader did in an epoch, and when.
///
/// @param stats the numbers
/// @param timeline what happened when; empty without
///   [dev.penstock.options.LoaderOptions#record(boolean)]
/// @param steps digests of its steps; empty without
///   [dev.penstock.options.LoaderOptions#stepDigests(boolean)]
public record EpochRecord(LoaderStats stats, Timeline timeline, Optional<StepsReceived> steps) {}
