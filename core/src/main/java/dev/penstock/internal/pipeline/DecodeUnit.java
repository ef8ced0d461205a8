package dev.penstock.internal.pipeline;

import dev.penstock.internal.plan.RowRun;

/// What a worker takes at a time.
///
/// @param index the run's number in the epoch
/// @param run the rows
/// @param group the columns
record DecodeUnit(int index, RowRun run, ColumnGroup group) {}
