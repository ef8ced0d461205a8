/// Between a format's reader and the batches: the table's columns, in the table's types, from the
/// slices of a file that has others; which of the rows are wanted, and copies of them.
///
/// Open [TableReader] first, in which a [Converter] turns one column into another; then
/// [RowReader], which reads the wanted rows of a run.
@NullMarked
package dev.penstock.internal.slices;

import org.jspecify.annotations.NullMarked;
