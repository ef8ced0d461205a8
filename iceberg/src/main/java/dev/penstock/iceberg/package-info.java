/// Apache Iceberg tables: planned by `iceberg-core`, their files decoded by Penstock.
///
/// Open [IcebergDataset] first. Behind it, a `TableSource` finds the table in its catalog, a
/// `PinnedTable` plans its files, and `IcebergRows` says what the rows of a file are. How files are
/// opened, columns found and rows deleted is in the packages below `internal`.
@NullMarked
package dev.penstock.iceberg;

import org.jspecify.annotations.NullMarked;
