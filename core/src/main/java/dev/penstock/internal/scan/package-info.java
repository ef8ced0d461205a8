/// Reads a run of rows of a file, as columns in the table's types: from the cache where it has
/// them, without deleted rows. Start with [TableReader].
@NullMarked
package dev.penstock.internal.scan;

import org.jspecify.annotations.NullMarked;
