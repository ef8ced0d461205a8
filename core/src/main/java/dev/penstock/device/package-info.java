/// Batches on a GPU, copied while training runs on the previous one.
///
/// Open [DevicePrefetcher] first.
@NullMarked
package dev.penstock.device;

import org.jspecify.annotations.NullMarked;
