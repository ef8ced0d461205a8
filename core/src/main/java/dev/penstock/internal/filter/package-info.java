/// A filter that has met a schema: what it says of statistics, of values, of rows.
///
/// Open [Condition] first, then [FilterBinder].
@NullMarked
package dev.penstock.internal.filter;

import org.jspecify.annotations.NullMarked;
