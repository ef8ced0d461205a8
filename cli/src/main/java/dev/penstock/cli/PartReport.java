package dev.penstock.cli;

import dev.penstock.StructuredDataset;
import dev.penstock.options.LoaderOptions;
import dev.penstock.report.Report;
import dev.penstock.report.Report.Kind;
import dev.penstock.report.Run;
import dev.penstock.split.Rank;
import dev.penstock.stats.EpochRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// The report of `score`: how the last parts were read.
///
/// **Threads.** Safe for any.
final class PartReport {
  /// What is recorded of one takes 2 MB.
  private static final int SHOWN = 10;

  private final ArrayDeque<Run> runs = new ArrayDeque<>();
  private int count;

  synchronized void add(EpochRecord part) {
    count++;
    runs.add(Run.of("part " + count, part));
    if (runs.size() > SHOWN) {
      runs.remove();
    }
  }

  private synchronized List<Run> runs() {
    return new ArrayList<>(runs);
  }

  Report of(StructuredDataset dataset, LoaderOptions options) {
    LoaderOptions read = options.rank(Rank.SINGLE).countMatches(false);
    return Report.of(Kind.LOAD, dataset, read, dataset.plan(read, 0)).runs(runs());
  }
}
