/// Everything that is decided before a row is read: which files, one schema, the sequence of
/// splits.
///
/// In order: [Discovery] lists files, [Table] joins them under one schema, [Planner] orders their
/// splits, [RowRun] is what a worker takes.
@NullMarked
package dev.penstock.internal.plan;

import org.jspecify.annotations.NullMarked;
