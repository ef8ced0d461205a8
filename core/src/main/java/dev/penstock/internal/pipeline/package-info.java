/// An epoch of a dataset of files: what joins fetching, decoding and delivery.
///
/// Open [Epoch] first.
@NullMarked
package dev.penstock.internal.pipeline;

import org.jspecify.annotations.NullMarked;
