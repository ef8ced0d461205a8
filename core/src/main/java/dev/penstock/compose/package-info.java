/// What becomes of the rows of a window before they are batched: buckets, packs, groups, sliding
/// windows, weighted draws.
///
/// Start at [dev.penstock.compose.Composition].
@NullMarked
package dev.penstock.compose;

import org.jspecify.annotations.NullMarked;
