package dev.penstock.internal.plan;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.steps.Steps;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Steps that are not delivered.
public final class SkippedSteps {
  private static final int RANGES_MAX = 1_000;

  private SkippedSteps() {}

  /// Returns the same steps in ascending order, those that touch each other as one range.
  ///
  /// @throws IllegalArgumentException if there are more than 1,000 ranges
  public static List<Steps> joined(List<Steps> steps) {
    List<Steps> joined = new ArrayList<>();
    for (Steps next : steps.stream().sorted(Comparator.comparingLong(Steps::from)).toList()) {
      Steps last = joined.isEmpty() ? null : joined.getLast();
      if (next.count() > 0 && last != null && next.from() <= last.to()) {
        joined.set(joined.size() - 1, new Steps(last.from(), Math.max(last.to(), next.to())));
      } else if (next.count() > 0) {
        joined.add(next);
      }
    }
    if (joined.size() > RANGES_MAX) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot skip more than %s ranges of steps, as every state has them. Exclude rows"
                  + " instead.",
              RANGES_MAX));
    }
    return List.copyOf(joined);
  }

  /// Returns these and those of other steps that come at or behind a step.
  public static List<Steps> with(List<Steps> steps, Steps more, long first) {
    List<Steps> all = new ArrayList<>(steps);
    if (more.to() > first) {
      all.add(new Steps(Math.max(more.from(), first), more.to()));
    }
    return joined(all);
  }

  /// Returns those at or behind a step, in ascending order.
  static List<Steps> from(List<Steps> steps, long first) {
    return joined(
        steps.stream()
            .filter(each -> each.to() > first)
            .map(each -> new Steps(Math.max(each.from(), first), each.to()))
            .toList());
  }

  /// Returns whether a step is at or behind another one.
  public static boolean isAhead(List<Steps> steps, long first) {
    return steps.stream().anyMatch(each -> each.to() > first);
  }

  public static boolean contains(List<Steps> steps, long step) {
    return steps.stream().anyMatch(each -> each.contains(step));
  }
}
