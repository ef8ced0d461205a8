package dev.penstock.internal.pipeline;

import dev.penstock.storage.Location;

/// Which rows a slice has, for naming a row that is at fault.
///
/// @param file the file
/// @param firstRow the slice's first row, counted from 0 in the file
record SliceContext(Location file, long firstRow) {}
