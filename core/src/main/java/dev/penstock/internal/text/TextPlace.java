package dev.penstock.internal.text;

/// A place in the text of a file, in bytes of UTF-8, and where to start reading to reach it.
///
/// @param restart the byte of the file where reading has to start
/// @param restartAt the place of that byte in the text
public record TextPlace(long at, long restart, long restartAt) {}
