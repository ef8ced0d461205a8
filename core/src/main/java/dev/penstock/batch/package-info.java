/// What is delivered: [Batch] and its [Tensor]s, and the choices about their form.
///
/// Open [Batch] first.
@NullMarked
package dev.penstock.batch;

import org.jspecify.annotations.NullMarked;
