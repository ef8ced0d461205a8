package dev.penstock.internal.passes;

import dev.penstock.internal.decode.FilterMemo;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.plan.Matches;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.Sequence;
import dev.penstock.internal.plan.Source;
import dev.penstock.spi.format.RowSet;
import dev.penstock.split.FileSplit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds which rows match the filter, by one pass over the filter's columns; then ranks can be
/// dealt equal numbers of them. Reads only row groups whose statistics are inconclusive, and that
/// were not planned with their matches.
final class MatchPass {
  private static final Logger LOG = LoggerFactory.getLogger(MatchPass.class);

  private MatchPass() {}

  /// Returns the matches if nothing has to be read for them.
  ///
  /// @param findings what is known about the filter; the matches are noted there
  static Optional<Matches> planned(Source source, FilterMemo findings) {
    Rows rows = rows(source, findings);
    return rows.open().isEmpty()
        ? Optional.of(new Matches(rows.runs(), rows.found()))
        : Optional.empty();
  }

  /// @param findings what is known about the filter; the matches are noted there
  static Matches find(PassReader reader, Source source, FilterMemo findings) {
    Rows rows = rows(source, findings);
    List<RowRun> open = rows.open();
    List<RowSet> noted = rows.noted();
    if (!open.isEmpty()) {
      // Noted once: kept for epochs, as far as there is room, are the same sets.
      FilterMemo apart = findings.withoutMatches();
      reader.read(
          "count the rows that match",
          List.copyOf(open),
          RowSteps.matching(source.table().everyColumn(), apart, noted),
          List.of());
      for (int i = 0; i < open.size(); i++) {
        noted.get(i).finish();
        findings.note(open.get(i), noted.get(i));
      }
    }
    Matches matches = new Matches(rows.runs(), rows.found());
    LOG.info("{} rows match the filter, counted before they are read.", matches.rows());
    return matches;
  }

  /// All rows that may match.
  ///
  /// @param found for each run, which of its rows match; empty where all do
  /// @param open the runs that have to be read
  /// @param noted the sets of `found` that are of these, to be filled
  private record Rows(
      List<RowRun> runs, List<Optional<RowSet>> found, List<RowRun> open, List<RowSet> noted) {}

  private static Rows rows(Source source, FilterMemo findings) {
    // The only source of the pass.
    List<FileSplit> files = source.pruning().files().stream().map(FileSplit::whole).toList();
    List<RowRun> runs =
        Sequence.of(files, source.table(), source.pruning()).runs().stream()
            .flatMap(run -> run.parts().stream())
            .toList();
    List<RowRun> open = new ArrayList<>();
    List<RowSet> noted = new ArrayList<>();
    List<Optional<RowSet>> all = new ArrayList<>();
    for (RowRun run : runs) {
      if (run.rest().isAlways()) {
        all.add(Optional.empty());
      } else {
        Optional<RowSet> planned = planned(run, source);
        RowSet rows = planned.orElseGet(() -> new RowSet(run.firstRow()));
        all.add(Optional.of(rows));
        if (planned.isPresent()) {
          findings.note(run, rows);
        } else {
          open.add(run);
          noted.add(rows);
        }
      }
    }
    return new Rows(runs, all, open, noted);
  }

  private static Optional<RowSet> planned(RowRun run, Source source) {
    try {
      return run.file().footer().plannedMatches(source.condition(), run.firstRow(), run.rowCount());
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }
}
