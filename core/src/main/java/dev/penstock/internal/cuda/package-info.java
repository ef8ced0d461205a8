/// The parts of the CUDA driver that batches need: registered host memory, streams and copies.
///
/// Start with [Cuda].
@NullMarked
package dev.penstock.internal.cuda;

import org.jspecify.annotations.NullMarked;
