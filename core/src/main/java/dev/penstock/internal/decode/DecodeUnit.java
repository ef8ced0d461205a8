package dev.penstock.internal.decode;

import dev.penstock.internal.columns.ColumnGroup;
import dev.penstock.internal.plan.Run;

/// What a worker takes at a time.
///
/// @param index the run's number in the epoch
/// @param run the rows
/// @param group the columns
public record DecodeUnit(int index, Run run, ColumnGroup group) {}
