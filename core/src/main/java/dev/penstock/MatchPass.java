package dev.penstock;

import dev.penstock.format.MemoryLimitException;
import dev.penstock.internal.decode.Findings;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.memory.MemoryMeter;
import dev.penstock.internal.plan.Matches;
import dev.penstock.internal.plan.Pruning;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.table.Table;
import dev.penstock.options.LoaderOptions;
import dev.penstock.spi.format.RowSet;
import dev.penstock.split.FileSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds which rows match the filter, by one pass over the filter's columns; then ranks can be
/// dealt equal numbers of them.
///
/// Reads only row groups whose statistics are inconclusive. What it finds does not depend on the
/// epoch and is kept.
///
/// **Threads.** Any; the first that asks makes the pass, others wait for it. [#close()] ends it.
final class MatchPass {
  private static final Logger LOG = LoggerFactory.getLogger(MatchPass.class);

  private final PassReader reader;
  private final Findings findings;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Matches found; // guarded by the lock

  /// Makes the pass. Nothing is read yet.
  ///
  /// @param options for the number of workers
  /// @param meter has the limit of all memory
  /// @param findings notes what is found out about the filter
  MatchPass(LoaderOptions options, MemoryMeter meter, Findings findings) {
    this.reader = new PassReader("the rows that match", options, meter);
    this.findings = findings;
  }

  /// Returns which rows match.
  ///
  /// @throws java.io.UncheckedIOException if the files cannot be read
  /// @throws MemoryLimitException if the memory is too little
  /// @throws IllegalStateException if the loader is closed before the pass is done
  Matches matches(EpochPlanner.Source source) {
    lock.lock();
    try {
      if (found == null) {
        found = find(source.table(), source.pruning());
      }
      return found;
    } finally {
      lock.unlock();
    }
  }

  private Matches find(Table table, Pruning pruning) {
    List<FileSplit> files = pruning.files().stream().map(FileSplit::whole).toList();
    List<RowRun> runs =
        Sequence.of(files, table, pruning).runs().stream()
            .flatMap(run -> run.parts().stream())
            .toList();
    List<RowRun> open = new ArrayList<>();
    List<RowSet> noted = new ArrayList<>();
    List<Optional<RowSet>> all = new ArrayList<>();
    for (RowRun run : runs) {
      if (run.rest().isAlways()) {
        all.add(Optional.empty());
      } else {
        RowSet rows = new RowSet(run.firstRow());
        open.add(run);
        noted.add(rows);
        all.add(Optional.of(rows));
      }
    }
    if (!open.isEmpty()) {
      // Noted once: kept for epochs, as far as there is room, are the same sets.
      Findings apart = findings.withoutMatches();
      reader.read(List.copyOf(open), RowSteps.matching(table.everyColumn(), apart, noted));
      for (int i = 0; i < open.size(); i++) {
        noted.get(i).finish();
        findings.note(open.get(i), noted.get(i));
      }
    }
    Matches matches = new Matches(runs, all);
    LOG.info("{} rows match the filter, counted before they are read.", matches.rows());
    return matches;
  }

  /// Ends a pass that is on its way; there will be no other.
  void close() {
    reader.close();
  }
}
