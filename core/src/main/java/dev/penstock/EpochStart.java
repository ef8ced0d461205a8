package dev.penstock;

import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.plan.Dealing.Leg;
import dev.penstock.internal.plan.Position;
import java.util.List;

/// From where on an epoch is delivered.
///
/// @param past where the ranks of earlier worlds stopped
/// @param dealing how the rest is dealt
/// @param position where the rank goes on in its share
/// @param batches how many batches were received before
record EpochStart(List<Leg> past, Dealing dealing, Position position, long batches) {
  /// Returns the start of an epoch of which nothing was delivered.
  static EpochStart of(Dealing dealing) {
    return new EpochStart(List.of(), dealing, Position.START, 0);
  }
}
