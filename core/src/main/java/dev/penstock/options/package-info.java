/// How loaders deliver rows: values, set by name and read by group.
///
/// Start at [LoaderOptions], for tables, or [MapOptions], for Java objects.
@NullMarked
package dev.penstock.options;

import org.jspecify.annotations.NullMarked;
