/// The rows that remain after a table's delete files: position deletes, deletion vectors, and
/// equality deletes by key columns.
///
/// Open [TableDeletes] first, the only type that other packages use; then [PositionDeletes] and
/// [EqualityDeletes].
@NullMarked
package dev.penstock.iceberg.internal.deletes;

import org.jspecify.annotations.NullMarked;
