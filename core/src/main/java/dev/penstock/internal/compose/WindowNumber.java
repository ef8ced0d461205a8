package dev.penstock.internal.compose;

/// What decides what is random in a window.
///
/// @param seed the seed of the shuffle
/// @param epoch the epoch, counted from 0
/// @param number the window's number, from 0
/// @param isShuffled whether rows move within windows
public record WindowNumber(long seed, long epoch, long number, boolean isShuffled) {}
