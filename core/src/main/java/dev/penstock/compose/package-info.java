/// What becomes of the rows of a window before they are batched: buckets, packs.
///
/// Start at [dev.penstock.compose.Composition].
@NullMarked
package dev.penstock.compose;

import org.jspecify.annotations.NullMarked;
