/// For modules that add an output format: batches in a form that core does not make. Users of a
/// loader do not need it.
///
/// Open [BatchForm] first; the columns that it holds are [dev.penstock.batch.HeldColumns].
@NullMarked
package dev.penstock.spi.batch;

import org.jspecify.annotations.NullMarked;
