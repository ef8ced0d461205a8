/// Reads ranges of files behind a network before they are wanted.
///
/// Open [Fetches] first: it asks for the ranges of [FetchedFile]s, in order, within a bound.
@NullMarked
package dev.penstock.internal.fetch;

import org.jspecify.annotations.NullMarked;
