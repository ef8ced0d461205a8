/// How loaders deliver rows: values, set by name and read by group.
///
/// Start at [dev.penstock.options.LoaderOptions].
@NullMarked
package dev.penstock.options;

import org.jspecify.annotations.NullMarked;
