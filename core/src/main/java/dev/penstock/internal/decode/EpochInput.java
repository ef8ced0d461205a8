package dev.penstock.internal.decode;

import dev.penstock.internal.cache.CacheFolder;
import dev.penstock.internal.cache.Piles;
import dev.penstock.internal.columns.ColumnGroup;
import dev.penstock.internal.columns.ColumnGroup.DecodingWork;
import dev.penstock.internal.columns.ColumnPlan;
import dev.penstock.internal.compose.Composing;
import dev.penstock.internal.plan.BatchTurns;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.table.TableFile;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rows that an epoch reads, and what is done with them.
///
/// @param runs the rows in the order of the sequence; or of one worker after another
/// @param turns how workers take turns; null where any may take any run
public record EpochInput(List<Run> runs, @Nullable BatchTurns turns, RowSteps steps) {
  /// Returns the columns that one worker decodes together. A transform or a composition gets all
  /// columns of its rows, so its runs are not shared; nor are those of files that have to be read
  /// as a whole for any column. Workers that share a run need its memory at the same time, or each
  /// would start over every few rows: so they share only where a reader for each is likely to fit
  /// into memory.
  public List<ColumnGroup> groups(List<ColumnPlan> columns, EpochResources means) {
    boolean isShared =
        steps.transform() == null
            && steps.composing() == null
            && turns == null
            && files().noneMatch(TableFile::isRowMajor);
    return isShared && means.readers() > 1
        ? ColumnGroup.forWorkers(
            columns,
            means.readers(),
            runs.size(),
            runs.stream().anyMatch(Run::goesOn),
            runs.isEmpty()
                ? DecodingWork.UNKNOWN
                : runs.getFirst().reads().getFirst().file().statistics()::decodingWork)
        : ColumnGroup.of(columns, 1, DecodingWork.UNKNOWN);
  }

  private Stream<TableFile> files() {
    boolean isAnywhere = !runs.isEmpty() && runs.getFirst().parts().isEmpty(); // as all others are
    return runs.stream()
        .limit(isAnywhere ? 1 : runs.size())
        .flatMap(run -> run.reads().stream())
        .map(RowRun::file);
  }

  /// Returns which readers read the runs. A worker can keep to its own columns where there are at
  /// least as many groups as workers, and to its own windows.
  ReaderRuns readers(int groups, int workers) {
    return new ReaderRuns(runs, mayGoOn() && (workers <= groups || isOfOneWorker()));
  }

  private boolean mayGoOn() {
    return turns == null && steps.matches() == null && steps.keepsRows();
  }

  /// Returns whether one worker reads all windows of a row group: where they are composed or piled,
  /// and where it would else be opened anew too often, unless there is a transform, which takes
  /// longer than that.
  boolean isOfOneWorker() {
    return runs.stream().anyMatch(Run::isOfOneWorker)
        || (mayGoOn() && steps.transform() == null && runs.stream().anyMatch(Run::isBestReadOn));
  }

  Set<CacheFolder> caches() {
    Set<CacheFolder> found = new LinkedHashSet<>();
    files().forEach(file -> file.cached().ifPresent(kept -> found.add(kept.folder())));
    return found;
  }

  /// Returns the piles that rows are read from, which are deleted when all are read.
  @Nullable Piles piles() {
    Piling piling = steps.piling();
    return piling == null || !runs.stream().allMatch(Run::isDelivered) ? null : piling.piles();
  }

  /// Returns how many rows each run gives; -1 where that is not known before it is read.
  public long[] counts() {
    return runs.stream().mapToLong(this::count).toArray();
  }

  private long count(Run run) {
    Composing composing = steps.composing();
    if (!run.isCounted()) {
      return -1;
    }
    if (composing != null) {
      return run.rowCount() * composing.places();
    }
    return steps.keepsRows() ? run.rowCount() : -1;
  }
}
