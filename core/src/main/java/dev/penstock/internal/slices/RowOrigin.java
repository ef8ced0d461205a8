package dev.penstock.internal.slices;

import dev.penstock.storage.Location;

/// Where a row was read.
///
/// @param file the file
/// @param row the row, counted from 0 in the file
public record RowOrigin(Location file, long row) {}
