/// A filter that has met a schema: what it says of statistics, and of rows.
///
/// Open [Condition] first, which [FilterBinder] makes. [Pruner] rules out what need not be read,
/// [RowSelector] finds the rows of what was.
@NullMarked
package dev.penstock.internal.filter;

import org.jspecify.annotations.NullMarked;
