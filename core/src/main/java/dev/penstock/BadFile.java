package dev.penstock;

import dev.penstock.storage.Location;

/// A file that was left out, see [OnBadFile#SKIP].
///
/// @param location where it is
/// @param reason the error message from reading it
public record BadFile(Location location, String reason) {}
