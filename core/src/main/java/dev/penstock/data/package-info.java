/// Datasets of rows that are Java objects: by number, one after another, or made of others.
///
/// Open [MapDataset] first. Files are read by [dev.penstock.StructuredDataset].
@NullMarked
package dev.penstock.data;

import org.jspecify.annotations.NullMarked;
