package dev.penstock.internal.order;

import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.plan.Dealing.Leg;
import dev.penstock.internal.plan.Position;
import dev.penstock.internal.state.Exclusion;
import dev.penstock.steps.Steps;
import java.util.List;

/// Where delivery of an epoch starts.
///
/// @param past where the ranks of earlier worlds stopped
/// @param position where the rank continues in its share
/// @param batches how many were received or skipped before
/// @param skips the steps that are not delivered, as they are dealt from here on
/// @param excluded the rows that are not delivered, and from where on
public record ResumePoint(
    List<Leg> past,
    Dealing dealing,
    Position position,
    long batches,
    List<Steps> skips,
    List<Exclusion> excluded) {
  static ResumePoint of(Dealing dealing) {
    return new ResumePoint(List.of(), dealing, Position.START, 0, List.of(), List.of());
  }
}
