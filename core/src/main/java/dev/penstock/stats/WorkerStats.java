package dev.penstock.stats;

/// A snapshot of what one worker has done in an epoch so far.
///
/// @param worker its number, counted from 0; -1 for the consumer's thread, which does the work
///   where there are no workers
/// @param isParked whether it decodes nothing at the moment because the others suffice, see
///   [dev.penstock.options.LoaderOptions#autoWorkers()]; its time then is [Stage#WAIT]
/// @param times where its time went, from its start to its end in this epoch
public record WorkerStats(int worker, boolean isParked, StageTimes times) {}
