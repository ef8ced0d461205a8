package dev.penstock.internal.decode;

import dev.penstock.internal.compose.Composing;
import dev.penstock.internal.compose.WindowFacts;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.RowSet;
import dev.penstock.split.Rank;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What is done with the rows of a file before they are batched.
///
/// @param sources what filters need, by the number of a run's [RowRun#source()]
/// @param transform the user's transform, or null
/// @param composing what is made of windows, or null
/// @param epoch the epoch, counted from 0
/// @param seed the seed of the shuffle
/// @param rank this process among the training processes
/// @param matches where to record which rows of each run match the filter, without delivering any;
///   null to deliver them
/// @param piling the piles by which rows are put in order; null where there are none
public record RowSteps(
    List<Source> sources,
    @Nullable BlockTransform transform,
    @Nullable Composing composing,
    long epoch,
    long seed,
    Rank rank,
    @Nullable List<RowSet> matches,
    @Nullable Piling piling) {
  /// What the filter of a dataset needs.
  ///
  /// @param table the columns that it may look at
  /// @param findings what is known about it
  public record Source(Schema table, FilterMemo findings) {}

  /// Copies the list.
  public RowSteps {
    sources = List.copyOf(sources);
  }

  /// Returns steps that do nothing with the rows that a filter keeps.
  public static RowSteps plain(Schema table, FilterMemo findings) {
    return new RowSteps(
        List.of(new Source(table, findings)), null, null, 0, 0, Rank.SINGLE, null, null);
  }

  /// Returns the steps of a pass that only notes what there is in the blocks of rows. Which rows
  /// match is not noted: it would change where states of the first epoch are.
  ///
  /// @param columns what makes the blocks
  public RowSteps noting(BlockTransform columns, BlockNote note) {
    return new RowSteps(
        sources.stream()
            .map(source -> new Source(source.table(), source.findings().withoutMatches()))
            .toList(),
        columns.noting(note),
        null,
        0,
        0,
        Rank.SINGLE,
        null,
        null);
  }

  /// Returns the steps of a pass that only records which rows match.
  ///
  /// @param table the columns that a filter may look at
  /// @param findings what is known about the filter
  /// @param matches for each run, where to record its matches
  public static RowSteps matching(Schema table, FilterMemo findings, List<RowSet> matches) {
    return new RowSteps(
        List.of(new Source(table, findings)),
        null,
        null,
        0,
        0,
        Rank.SINGLE,
        List.copyOf(matches),
        null);
  }

  /// Returns the steps of a pass that only records how much is made of each window.
  ///
  /// @param facts where to record it
  public RowSteps counting(WindowFacts facts) {
    Composing counting = Objects.requireNonNull(composing).counting(facts);
    return new RowSteps(sources, transform, counting, epoch, seed, rank, null, null);
  }

  /// Returns the same steps, by way of piles.
  public RowSteps piling(Piling by) {
    return new RowSteps(sources, transform, composing, epoch, seed, rank, matches, by);
  }

  /// Returns the columns that rows have before a window is composed.
  ///
  /// @param delivered the columns that go to batches
  Schema rows(Schema delivered) {
    return composing == null ? delivered : composing.input();
  }

  /// Returns the columns that are read from files, beside those of filters.
  ///
  /// @param delivered the columns that go to batches
  Schema read(Schema delivered) {
    if (matches != null) {
      return Schema.of(List.of());
    }
    return transform == null ? rows(delivered) : transform.input();
  }

  /// Returns what is known about the filter of a run.
  FilterMemo findings(RowRun run) {
    return sources.get(run.source()).findings();
  }

  /// Returns the columns that the filter of a run may look at.
  Schema table(RowRun run) {
    return sources.get(run.source()).table();
  }

  /// Returns the columns that the filter looks at in the rows of a run.
  Schema tested(RowRun run) {
    List<Field> fields = new ArrayList<>();
    for (String column : run.rest().columns()) {
      fields.add(table(run).find(column).orElseThrow());
    }
    return Schema.of(fields);
  }
}
