package dev.penstock.internal.pipeline;

import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.WindowRun;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/// Which rows of files are read by one reader: those of a run; and where a window ends inside a row
/// group, those of the next windows that go on there as well. So the row group is opened, fetched
/// and decompressed once.
///
/// **Threads.** Safe for any: it does not change.
final class ReaderRuns {
  private final List<RowRun> all = new ArrayList<>();
  private final IdentityHashMap<RowRun, RowRun> byPart = new IdentityHashMap<>();

  /// Joins parts of windows.
  ///
  /// @param runs the runs in the order in which they are taken
  /// @param mayGoOn whether a worker that is done with a run can go on with the next one, whose
  ///   rows are read as they are
  ReaderRuns(List<Run> runs, boolean mayGoOn) {
    List<RowRun> joined = new ArrayList<>();
    for (Run run : runs) {
      boolean mayJoin = mayGoOn && run instanceof WindowRun;
      for (RowRun part : run.parts()) {
        if (!joined.isEmpty() && !(mayJoin && goesOn(joined.getLast(), part))) {
          add(joined);
        }
        joined.add(part);
      }
    }
    add(joined);
  }

  private static boolean goesOn(RowRun before, RowRun next) {
    return before.endRow() == next.firstRow()
        && before.file().location().equals(next.file().location())
        && before.rest().isAlways()
        && next.rest().isAlways()
        && before.endsInsideRowGroup();
  }

  private void add(List<RowRun> joined) {
    if (joined.isEmpty()) {
      return;
    }
    RowRun first = joined.getFirst();
    RowRun whole = joined.size() == 1 ? first : first.to(joined.getLast().endRow());
    all.add(whole);
    if (joined.size() > 1) {
      joined.forEach(part -> byPart.put(part, whole));
    }
    joined.clear();
  }

  /// Returns whether any reader goes on from one run to the next.
  boolean goOn() {
    return !byPart.isEmpty();
  }

  /// Returns all of them, in the order in which they are read.
  List<RowRun> all() {
    return all;
  }

  /// Returns the rows that the reader of a part reads.
  ///
  /// @return the part itself if it is read alone
  RowRun of(RowRun part) {
    return byPart.getOrDefault(part, part);
  }
}
