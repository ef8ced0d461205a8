package dev.penstock.internal.text;

/// A place in the text of a file, in bytes of UTF-8, and where to start reading to reach it.
///
/// @param restart the place in the file where reading has to start, in bytes
/// @param restartAt the place in the text of that start
public record TextPlace(long at, long restart, long restartAt) {}
