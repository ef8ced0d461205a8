package dev.penstock.internal.decode;

import dev.penstock.internal.compose.Composing;
import dev.penstock.internal.compose.StepCosts;
import dev.penstock.internal.compose.WindowFacts;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.RowSet;
import dev.penstock.split.Rank;
import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.TransformContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// What is done with the rows of a file before they are batched.
///
/// @param sources what filters need, by the number of a run's [RowRun#source()]
/// @param transform the user's transform, or null
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
  public record Source(Schema table, FilterMemo findings) {}

  public RowSteps {
    sources = List.copyOf(sources);
  }

  private static RowSteps of(
      List<Source> sources, @Nullable BlockTransform transform, @Nullable List<RowSet> matches) {
    return new RowSteps(sources, transform, null, 0, 0, Rank.SINGLE, matches, null);
  }

  public static RowSteps plain(Schema table, FilterMemo findings) {
    return of(List.of(new Source(table, findings)), null, null);
  }

  /// Returns the steps of a pass that only notes what there is in the blocks of rows. Which rows
  /// match is not noted: it would change where states of the first epoch are.
  ///
  /// @param note takes each; workers call it, several at once
  public RowSteps noting(BlockTransform columns, BiConsumer<ColumnBlock, TransformContext> note) {
    List<Source> apart =
        sources.stream()
            .map(source -> new Source(source.table(), source.findings().withoutMatches()))
            .toList();
    return of(apart, columns.noting(note), null);
  }

  /// Returns the steps of a pass that only records which rows match, for each run.
  public static RowSteps matching(Schema table, FilterMemo findings, List<RowSet> matches) {
    return of(List.of(new Source(table, findings)), null, List.copyOf(matches));
  }

  /// Returns the steps of a pass that only records how much is made of each window.
  public RowSteps counting(WindowFacts facts) {
    Composing counting = Objects.requireNonNull(composing).counting(facts);
    return new RowSteps(sources, transform, counting, epoch, seed, rank, null, null);
  }

  /// Returns the steps of a pass that only adds up what the steps of ranks cost.
  public RowSteps measuring(StepCosts costs) {
    Composing measuring = Objects.requireNonNull(composing).measuring(costs);
    return new RowSteps(sources, transform, measuring, epoch, seed, rank, null, null);
  }

  /// Returns the steps that put rows on piles.
  public RowSteps piling(Piling by) {
    return new RowSteps(sources, transform, composing, epoch, seed, rank, matches, by);
  }

  /// Returns the steps that deliver rows from piles, where they lie as the transform made them.
  public RowSteps fromPiles(Piling by) {
    return new RowSteps(sources, null, composing, epoch, seed, rank, matches, by);
  }

  /// Returns whether each row that is read gives one row, before windows are composed.
  boolean keepsRows() {
    return transform == null || transform.keepsRows();
  }

  /// Returns the columns that rows have before a window is composed, of those that are delivered.
  Schema rows(Schema delivered) {
    return composing == null ? delivered : composing.input();
  }

  /// Returns the columns that are read from files, beside those of filters.
  Schema read(Schema delivered) {
    if (matches != null) {
      return Schema.of(List.of());
    }
    return transform == null ? rows(delivered) : transform.input();
  }

  FilterMemo findings(RowRun run) {
    return sources.get(run.source()).findings();
  }

  Schema table(RowRun run) {
    return sources.get(run.source()).table();
  }

  Schema tested(RowRun run) {
    List<Field> fields = new ArrayList<>();
    for (String column : run.rest().columns()) {
      fields.add(table(run).find(column).orElseThrow());
    }
    return Schema.of(fields);
  }
}
