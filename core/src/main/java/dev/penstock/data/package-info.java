/// Datasets of rows that are Java objects: read by number, read in sequence, or composed of other
/// datasets.
///
/// Open [MapDataset] first. Files are read by [dev.penstock.StructuredDataset]. A row number that
/// is out of range is an [IndexOutOfBoundsException], any other such argument an
/// [IllegalArgumentException].
@NullMarked
package dev.penstock.data;

import org.jspecify.annotations.NullMarked;
