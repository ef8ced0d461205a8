/// Reads the rows of a run that match a filter, and remembers which do. Start with
/// [FilteredReader].
@NullMarked
package dev.penstock.internal.matches;

import org.jspecify.annotations.NullMarked;
