package dev.penstock.internal.decode;

import dev.penstock.internal.matches.KnownMatches;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.spi.format.RowSet;

/// What a loader has found out about one filter over one table, kept so that later epochs need not
/// find it out again.
///
/// @param groups the rows of row groups that bloom filters and page indexes do not rule out
public record FilterMemo(OpenGroups groups, KnownMatches matches) {
  public static FilterMemo none() {
    return new FilterMemo(new OpenGroups(), new KnownMatches());
  }

  /// Returns what is known of row groups, for a pass that records matches itself.
  public FilterMemo withoutMatches() {
    return new FilterMemo(groups, new KnownMatches(0));
  }

  /// Records which rows of a run match; `found` is finished.
  public void note(RowRun run, RowSet found) {
    matches.add(run.file().location(), run.firstRow(), run.endRow(), found);
  }
}
