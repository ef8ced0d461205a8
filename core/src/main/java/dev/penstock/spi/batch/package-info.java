/// Batches in a form that core does not make: for a module that brings an output format. Users of a
/// loader need none of it.
///
/// Open [BatchForm] first; the columns that it holds are [dev.penstock.batch.HeldColumns].
@NullMarked
package dev.penstock.spi.batch;

import org.jspecify.annotations.NullMarked;
