/// Rows that are Java objects: an epoch of a dataset that users' code gives.
///
/// Open [SampleEpoch] first.
@NullMarked
package dev.penstock.internal.objects;

import org.jspecify.annotations.NullMarked;
