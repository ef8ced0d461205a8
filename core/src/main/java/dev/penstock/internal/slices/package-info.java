/// The rows of a slice, as columns ([Rows]), and copies of chosen ones, which stay when the reader
/// moves on ([RowCopies], by column [ColumnCopy]).
@NullMarked
package dev.penstock.internal.slices;

import org.jspecify.annotations.NullMarked;
