package dev.penstock.internal.order;

import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.plan.Dealing.Leg;
import dev.penstock.internal.plan.Position;
import java.util.List;

/// Where delivery of an epoch starts.
///
/// @param past where the ranks of earlier worlds stopped
/// @param position where the rank continues in its share
/// @param batches how many were received before
public record ResumePoint(List<Leg> past, Dealing dealing, Position position, long batches) {
  static ResumePoint of(Dealing dealing) {
    return new ResumePoint(List.of(), dealing, Position.START, 0);
  }
}
