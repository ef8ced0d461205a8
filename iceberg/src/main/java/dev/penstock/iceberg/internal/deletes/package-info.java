/// Which rows the delete files of a table leave: by position, by deletion vectors, and by the
/// values of key columns.
///
/// Open [TableDeletes] first, the only type that others see; then [PositionDeletes] and
/// [EqualityDeletes].
@NullMarked
package dev.penstock.iceberg.internal.deletes;

import org.jspecify.annotations.NullMarked;
