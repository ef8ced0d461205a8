package dev.penstock.internal.steps;

import dev.penstock.internal.plan.Dealing;
import dev.penstock.internal.state.SavedState;
import dev.penstock.steps.Steps;
import java.util.ArrayList;
import java.util.List;

/// Which world had which steps of an epoch.
///
/// @param legs one after another, at least one
/// @param had how many steps there have been for certain
public record EpochCourse(List<Leg> legs, long had) {
  /// The steps of a world, up to one at which the run changed its course.
  ///
  /// @param end the step after its last
  /// @param skips the steps that were not delivered
  public record Leg(int world, long end, List<Steps> skips) {}

  public EpochCourse {
    legs = List.copyOf(legs);
  }

  /// Returns the course of an epoch that one world has from its start on.
  public static EpochCourse whole(int world) {
    return new EpochCourse(List.of(new Leg(world, Long.MAX_VALUE, List.of())), 0);
  }

  public static EpochCourse of(SavedState state) {
    List<Leg> legs = new ArrayList<>();
    long end = 0;
    for (Dealing.Leg leg : state.past()) {
      end = leg.batches().orElse(end); // of steps that are not known
      legs.add(new Leg(leg.dealing().world(), end, leg.skips()));
    }
    legs.add(new Leg(state.dealing().world(), Long.MAX_VALUE, state.skips()));
    return new EpochCourse(legs, state.batches());
  }

  private Leg leg(long step) {
    for (Leg leg : legs) {
      if (step < leg.end) {
        return leg;
      }
    }
    return legs.getLast();
  }

  public int world(long step) {
    return leg(step).world;
  }

  /// Returns the step after the last of the leg of a step.
  long legEnd(long step) {
    return leg(step).end;
  }

  /// Returns up to which step a rank has none from a step on; that step itself if it has it.
  long leftOutUpTo(long step, int rank) {
    return rank >= world(step)
        ? legEnd(step)
        : leg(step).skips.stream()
            .filter(skip -> skip.contains(step))
            .mapToLong(skip -> Math.min(skip.to(), legEnd(step)))
            .findFirst()
            .orElse(step);
  }

  boolean isSkipped(long step) {
    return leg(step).skips.stream().anyMatch(skip -> skip.contains(step));
  }

  /// Returns whether the run changed its course at a step or before it, so that it may have gone
  /// back to there.
  boolean isChangedUpTo(long step) {
    return legs.stream()
        .anyMatch(
            leg -> leg.end <= step || leg.skips.stream().anyMatch(skip -> skip.from() <= step));
  }

  /// Returns whether a world had earlier steps than this one, but does not have it.
  boolean isLeftBy(int world, long step) {
    return world != world(step)
        && legs.stream().anyMatch(leg -> leg.world == world && leg.end <= step);
  }
}
