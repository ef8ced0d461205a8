/// The CUDA driver, as far as batches need it: registered host memory, streams and copies.
///
/// Open [Cuda] first.
@NullMarked
package dev.penstock.internal.cuda;

import org.jspecify.annotations.NullMarked;
