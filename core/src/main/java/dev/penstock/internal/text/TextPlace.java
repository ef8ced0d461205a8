package dev.penstock.internal.text;

/// A place in the text of a file, and how it is reached.
///
/// @param at the place: bytes of UTF-8 before it
/// @param restart where in the file reading has to start, in bytes
/// @param restartAt the place that this is
public record TextPlace(long at, long restart, long restartAt) {}
