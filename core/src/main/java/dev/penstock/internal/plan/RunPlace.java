package dev.penstock.internal.plan;

/// The place of the rows after a batch.
///
/// @param fileRow the next row to read, counted from 0 in the file; in the run or its end
/// @param behind how many rows of the transform result from there come before the place
public record RunPlace(int run, long fileRow, long behind) {}
