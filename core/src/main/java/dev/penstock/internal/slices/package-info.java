/// Between a format's reader and the batches: converts the columns of a file to those of the table,
/// chooses the wanted rows, and copies them.
///
/// Start with [TableReader], in which a [Converter] turns one column into another; then
/// [RowReader], which reads the wanted rows of a run.
@NullMarked
package dev.penstock.internal.slices;

import org.jspecify.annotations.NullMarked;
