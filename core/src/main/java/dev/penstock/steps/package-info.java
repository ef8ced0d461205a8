/// The steps of an epoch: ranges of them, their rows, digests of these, rows that are left out.
///
/// A step is a batch of every rank, numbered from 0 in the epoch; one that is skipped keeps its
/// number.
@NullMarked
package dev.penstock.steps;

import org.jspecify.annotations.NullMarked;
