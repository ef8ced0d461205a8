package dev.penstock.internal.order;

import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.plan.Sequence;

/// The steps of an epoch that one world has, from where it began or went on to where another went
/// on.
///
/// @param rows the rows of all its ranks, numbered as they were dealt
/// @param firstStep the number of its first step in the epoch
/// @param endStep the step after its last; [Long#MAX_VALUE] where no other world went on
public record DealtSteps(Dealing dealing, Sequence rows, long firstStep, long endStep) {
  DealtSteps between(long first, long end) {
    return new DealtSteps(dealing, rows, first, end);
  }
}
