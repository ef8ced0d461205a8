package dev.penstock.internal.text;

/// A place in the text of a file, in bytes of UTF-8, and where to start reading to reach it.
public record TextPlace(long at, long restart, long restartAt) {}
