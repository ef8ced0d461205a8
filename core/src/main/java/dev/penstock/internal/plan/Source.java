package dev.penstock.internal.plan;

import dev.penstock.format.SchemaMismatchException;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.table.Table;
import dev.penstock.schema.Schema;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Plan;
import dev.penstock.split.SplitStrategy;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A dataset whose rows an epoch has: the only one, or one of a mixture.
///
/// @param number its number, from 0
/// @param columns the names of those that are read; empty for all
/// @param filter its condition, for messages; `none` if there is none
/// @param condition the filter with how its columns are read: where that is the same, the same rows
///   of a file match
/// @param version the table's identity and version, if a catalog has them
/// @param opening makes the source of only some files, with their footers
/// @param cut rows that no sequence has
public record Source(
    int number,
    Object dataset,
    Table table,
    Optional<List<String>> columns,
    String filter,
    String condition,
    Pruning pruning,
    SplitStrategy strategy,
    Optional<String> version,
    Map<String, String> formatOptions,
    Function<Set<Location>, Source> opening,
    ChosenRows cut) {
  private static final long SEED = 0x9E37_79B9_7F4A_7C15L;

  /// Returns the columns that are read.
  ///
  /// @throws UncheckedIOException if the files do not have one
  public Schema schema() {
    try {
      return columns.isEmpty() ? table.schema() : table.select(columns.get());
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /// Returns the seed of its order: sources that are cut alike would else be shuffled alike.
  public long seed(long loader) {
    return loader + SEED * number;
  }

  /// Plans an epoch of this dataset alone, by the seed of the loader.
  ///
  /// @param readers how many readers to deal to, at least 1
  /// @throws IllegalArgumentException if the strategy leaves rows out or reads them twice
  public Plan plan(Reach reach, long seed, long epoch, int readers) {
    return Planner.plan(pruning, strategy, reach, seed(seed), epoch, readers);
  }

  /// Returns the same without some rows.
  public Source without(ChosenRows rows) {
    return new Source(
        number,
        dataset,
        table,
        columns,
        filter,
        condition,
        pruning,
        strategy,
        version,
        formatOptions,
        opening,
        rows);
  }

  /// Returns whether some rows are in no sequence.
  public boolean isCut() {
    return cut.has(number);
  }

  /// Returns the same as the only one, of all rows, with another filter.
  ///
  /// @param bound the filter, bound to all columns of the table
  public Source aloneWhere(String text, Condition bound) {
    Pruning left = new Pruning(table, bound);
    return new Source(
        0,
        dataset,
        table,
        columns,
        text,
        text,
        left,
        strategy,
        version,
        formatOptions,
        opening,
        ChosenRows.NONE);
  }

  public Sequence sequence(List<FileSplit> splits) {
    return Sequence.of(number, cut.cut(number, splits), table, pruning);
  }

  public Sequence inFileOrder() {
    return sequence(pruning.files().stream().map(FileSplit::whole).toList());
  }

  /// Returns what is decoded of a sequence. Where only the rows of files are known, it reads their
  /// footers.
  ///
  /// @param blockRows how many rows a transform takes at a time; a run, which one worker takes, has
  ///   as many if its file does, so that the next block is another worker's
  /// @throws UncheckedIOException if a footer cannot be read, or the files do not have the columns
  ///   that the table states
  public List<Run> runs(Sequence rows, int blockRows) {
    int rowsMin = Math.min(blockRows, RowRun.ROWS_MIN);
    if (table.files().stream().noneMatch(file -> file.footer().isStated())) {
      return rows.runs(rowsMin);
    }
    List<FileSplit> splits = rows.splits();
    Set<Location> files =
        splits.stream().map(split -> split.file().location()).collect(Collectors.toSet());
    Source opened = opening.apply(files);
    if (!opened.schema().equals(schema())) {
      throw new UncheckedIOException(
          new SchemaMismatchException(
              Sentence.of(
                  "Cannot read the table: its columns are %s, but %s with those of %s files, '%s' among"
                      + " them. Write these again with the engine that writes the table.",
                  schema().summary(),
                  opened.schema().summary(),
                  files.size(),
                  splits.getFirst().file().location())));
    }
    return opened.sequence(splits).runs(rowsMin);
  }

  /// Returns how many rows the filter leaves, as far as row groups tell.
  public long rowsLeft() {
    return table.infos().stream().mapToLong(DataFileInfo::rows).sum()
        - pruning.pruned().stream().mapToLong(rows -> rows.rows().length()).sum()
        - cut.count(number, table, pruning);
  }

  /// Returns how many rows are left of those that match.
  public long rowsLeft(@Nullable Matches matches) {
    if (matches == null) {
      return rowsLeft();
    }
    return isCut() ? inFileOrder().byMatches(matches).rows() : matches.rows();
  }

  /// Returns the mean of the rows of its row groups, at least 1.
  public long groupRows() {
    long groups = table.infos().stream().mapToLong(file -> file.rowGroups().size()).sum();
    long rows = table.infos().stream().mapToLong(DataFileInfo::rows).sum();
    return Math.max(1, rows / Math.max(1, groups));
  }
}
