/// Batches as Apache Arrow vectors, without a copy.
///
/// Open [ArrowBatches] first.
@NullMarked
package dev.penstock.arrow;

import org.jspecify.annotations.NullMarked;
