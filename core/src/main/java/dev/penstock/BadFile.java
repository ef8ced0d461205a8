package dev.penstock;

import dev.penstock.storage.Location;

/// A file that was left out, see [OnBadFile#SKIP].
///
/// @param location where it is
/// @param reason the sentence of the error that reading it gave
public record BadFile(Location location, String reason) {}
