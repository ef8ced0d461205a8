/// The order in which the rows of a dataset are visited, and the random numbers that decide it.
///
/// Open [Sampler] first. An argument that is out of the range of its documentation is an
/// [IllegalArgumentException].
@NullMarked
package dev.penstock.sample;

import org.jspecify.annotations.NullMarked;
