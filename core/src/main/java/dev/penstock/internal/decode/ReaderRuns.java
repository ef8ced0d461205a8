package dev.penstock.internal.decode;

import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.WindowRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Which rows of files are fetched together, and which reader reads them: the rows of a run, and
/// where a window ends inside a row group, also those of the next windows that continue there.
///
/// **Threads.** Immutable; safe for any thread.
final class ReaderRuns {
  /// Rows that are fetched together.
  ///
  /// @param reads the rows of each reader, in order; a single entry with all rows where one reader
  ///   continues from window to window, so that a row group is opened and decompressed once
  record Together(RowRun whole, List<RowRun> reads) {
    /// Returns the read that has the rows of a run, or of a part of a window.
    RowRun readOf(RowRun part) {
      return reads.size() == 1 ? reads.getFirst() : part;
    }

    int indexOf(RowRun read) {
      int index = 0;
      while (reads.get(index).firstRow() != read.firstRow()) {
        index++;
      }
      return index;
    }
  }

  private final List<Together> all = new ArrayList<>();
  private final IdentityHashMap<RowRun, Together> byPart = new IdentityHashMap<>();

  /// @param mayGoOn whether a worker that finishes a run may continue with the next one; only done
  ///   where the filter keeps all rows
  public ReaderRuns(List<Run> runs, boolean mayGoOn) {
    Map<Integer, List<RowRun>> open = new HashMap<>(); // by the number of the dataset
    List<List<RowRun>> found = new ArrayList<>(); // in the order of their first parts
    for (Run run : runs) {
      for (RowRun part : run.parts()) {
        List<RowRun> joined = open.get(part.source());
        if (joined == null || !(run instanceof WindowRun && goesOn(joined.getLast(), part))) {
          joined = new ArrayList<>();
          open.put(part.source(), joined);
          found.add(joined);
        }
        joined.add(part);
      }
    }
    found.forEach(joined -> add(joined, mayGoOn));
  }

  private static boolean goesOn(RowRun before, RowRun next) {
    return before.endRow() == next.firstRow()
        && before.file().location().equals(next.file().location())
        && before.endsInsideRowGroup();
  }

  private void add(List<RowRun> joined, boolean mayGoOn) {
    RowRun first = joined.getFirst();
    RowRun whole = joined.size() == 1 ? first : first.to(joined.getLast().endRow());
    boolean once = mayGoOn && joined.stream().allMatch(part -> part.rest().isAlways());
    Together together = new Together(whole, once ? List.of(whole) : List.copyOf(joined));
    all.add(together);
    joined.forEach(part -> byPart.put(part, together));
  }

  /// Returns whether any reader continues from one run to the next.
  public boolean goOn() {
    return byPart.size() > all.stream().mapToLong(each -> each.reads().size()).sum();
  }

  List<Together> all() {
    return all;
  }

  boolean has(RowRun part) {
    return byPart.containsKey(part);
  }

  /// Returns the rows that are fetched with a run or a part of a window.
  Together of(RowRun part) {
    return Objects.requireNonNull(byPart.get(part));
  }
}
