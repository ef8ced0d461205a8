package dev.penstock.internal.order;

import dev.penstock.internal.compose.ComposedWindows;
import dev.penstock.internal.plan.Matches;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What was counted before an epoch.
///
/// @param matches the matches of each source that was counted, by its number
/// @param windows the windows, and how much is made of each; null where they are not counted
public record Counted(Map<Integer, Matches> matches, @Nullable ComposedWindows windows) {
  public static final Counted NOTHING = new Counted(Map.of(), null);

  public Counted {
    matches = Map.copyOf(matches);
  }

  /// Returns which rows of a source match; null where that was not counted.
  @Nullable Matches of(int source) {
    return matches.get(source);
  }
}
