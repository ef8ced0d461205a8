package dev.penstock.internal.pipeline;

import dev.penstock.internal.plan.RowRun;

/// What a worker takes at a time.
///
/// @param run the rows
/// @param group the columns
record DecodeUnit(RowRun run, ColumnGroup group) {}
