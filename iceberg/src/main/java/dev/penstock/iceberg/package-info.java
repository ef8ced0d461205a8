/// Apache Iceberg tables: planned by `iceberg-core`, their files decoded by Penstock.
///
/// Open [IcebergDataset] first. Behind it, a `TableSource` finds the table in its catalog, a
/// `PinnedTable` plans its files, and `IcebergRows` defines the rows of a file. The packages below
/// `internal` open files, match columns and find deleted rows.
@NullMarked
package dev.penstock.iceberg;

import org.jspecify.annotations.NullMarked;
