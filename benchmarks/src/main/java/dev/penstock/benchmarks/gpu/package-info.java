/// Checks on a machine with an NVIDIA GPU that batches arrive there bit for bit, and measures how
/// fast. Of Penstock only the public API is used; what arrived is read back by the driver itself.
///
/// Open [GpuCheck] first; `dev/gpu-check` makes the folder that it runs in.
@NullMarked
package dev.penstock.benchmarks.gpu;

import org.jspecify.annotations.NullMarked;
