/// Batches: [Batch] and its [Tensor]s, and the options for their form.
///
/// Open [Batch] first.
@NullMarked
package dev.penstock.batch;

import org.jspecify.annotations.NullMarked;
