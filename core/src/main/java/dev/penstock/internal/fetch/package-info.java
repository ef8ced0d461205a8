/// Reads ranges of remote files before they are wanted.
///
/// Start with [Fetches]: it requests the ranges of [FetchedFile]s in order, within a bound.
@NullMarked
package dev.penstock.internal.fetch;

import org.jspecify.annotations.NullMarked;
