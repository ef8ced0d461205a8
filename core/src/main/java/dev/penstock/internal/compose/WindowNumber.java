package dev.penstock.internal.compose;

/// What decides what is random in a window.
///
/// @param seed the seed of the shuffle
/// @param epoch the epoch, counted from 0
/// @param number the window's number in its rank's share, from 0
public record WindowNumber(long seed, long epoch, long number) {}
