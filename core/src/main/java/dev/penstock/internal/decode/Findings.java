package dev.penstock.internal.decode;

import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.slices.KnownMatches;
import dev.penstock.spi.format.RowSet;

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

  /// Returns what is known of row groups, with no room for matches.
  ///
  /// @return for a pass that notes them itself
  public Findings withoutMatches() {
    return new Findings(groups, new KnownMatches(0));
  }

  /// Takes note of which rows of a run match.
  ///
  /// @param run the run
  /// @param found those that do; finished
  public void note(RowRun run, RowSet found) {
    matches.add(run.file().location(), run.firstRow(), run.endRow(), found);
  }
}
