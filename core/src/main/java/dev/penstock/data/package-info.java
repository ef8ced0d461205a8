/// Datasets of rows that are Java objects: read by number, read in sequence, or composed of other
/// datasets.
///
/// Open [MapDataset] first. Files are read by [dev.penstock.StructuredDataset].
@NullMarked
package dev.penstock.data;

import org.jspecify.annotations.NullMarked;
