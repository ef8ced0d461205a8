package dev.penstock.score;

/// How far a run is.
///
/// @param rows the rows of the table that are behind it, in all parts that this rank makes or finds
///   made, those that the filter leaves out among them
/// @param rowsTotal how many these parts have
/// @param parts how many of them are there
/// @param partsTotal how many there will be
public record ScoreProgress(long rows, long rowsTotal, int parts, int partsTotal) {}
