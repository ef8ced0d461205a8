/// Workers, batches in order, delivery. The only room that starts threads.
///
/// Open [Epoch] first: it holds the runs of rows to decode, the [BatchWindow] that bounds how far
/// workers are ahead, and the [RunDecoder] that each worker steps. A [SliceTarget] copies decoded
/// rows to their place in a batch.
@NullMarked
package dev.penstock.internal.pipeline;

import org.jspecify.annotations.NullMarked;
