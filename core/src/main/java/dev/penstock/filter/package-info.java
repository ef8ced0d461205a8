/// Filters on rows: a tree of conditions on columns, and its text form.
///
/// Open [Filter] first.
@NullMarked
package dev.penstock.filter;

import org.jspecify.annotations.NullMarked;
