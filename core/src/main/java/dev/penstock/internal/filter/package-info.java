/// Filters bound to a schema, applied to statistics and to rows.
///
/// Start with [Condition], which [FilterBinder] makes. [Pruner] rules out rows before they are
/// read, [RowSelector] finds the matching ones of those that were.
@NullMarked
package dev.penstock.internal.filter;

import org.jspecify.annotations.NullMarked;
