package dev.penstock.internal.pipeline;

import dev.penstock.internal.slices.KnownMatches;

/// What a loader has found out about its filter, and need not find out again: for one filter over
/// one table.
///
/// @param groups what bloom filters and page indexes leave open of row groups
/// @param matches which rows match
public record Findings(OpenGroups groups, KnownMatches matches) {
  /// Returns those of a loader that has read nothing yet.
  ///
  /// @return nothing but room
  public static Findings none() {
    return new Findings(new OpenGroups(), new KnownMatches());
  }
}
