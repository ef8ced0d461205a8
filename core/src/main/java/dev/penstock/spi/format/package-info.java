/// The interfaces of a file format: how the bytes of a file become columns.
///
/// Open [FileFormat] first; it gives the [FileMetadata] of a file and a [SliceReader] of its rows.
/// Users of a loader need only [ColumnSlice], in transforms that work on a column's memory
/// ([dev.penstock.transform.ColumnBlock#slice]).
@NullMarked
package dev.penstock.spi.format;

import org.jspecify.annotations.NullMarked;
