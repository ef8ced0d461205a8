package dev.penstock.internal.plan;

/// Where the rows behind a batch are.
///
/// @param run the number of the run
/// @param fileRow the row to read on from, counted from 0 in the file; the run's end, or in it
/// @param behind of the rows that a transform makes together from there, how many are before
public record RunPlace(int run, long fileRow, long behind) {}
