/// What becomes of the rows of a window before they are batched: buckets, packs, groups, sliding
/// windows, weighted draws.
///
/// Start at [Composition]. An argument that is out of the range of its documentation is an
/// [IllegalArgumentException].
@NullMarked
package dev.penstock.compose;

import org.jspecify.annotations.NullMarked;
