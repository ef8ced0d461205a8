/// The files of a dataset under one schema.
///
/// In order: [Discovery] lists files, [Table] joins them under one schema, [FileColumns] finds the
/// table's columns in each.
@NullMarked
package dev.penstock.internal.table;

import org.jspecify.annotations.NullMarked;
