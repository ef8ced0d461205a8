/// Batches on a GPU: copied while the one before is trained on.
///
/// Open [DevicePrefetcher] first.
@NullMarked
package dev.penstock.device;

import org.jspecify.annotations.NullMarked;
