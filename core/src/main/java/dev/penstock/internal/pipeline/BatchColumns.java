package dev.penstock.internal.pipeline;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.compose.Composition;
import dev.penstock.internal.columns.BatchLayout;
import dev.penstock.internal.columns.ColumnForms;
import dev.penstock.internal.compose.Composing;
import dev.penstock.internal.decode.BlockTransform;
import dev.penstock.internal.decode.FilterMemo;
import dev.penstock.internal.decode.RowSteps;
import dev.penstock.internal.plan.Run;
import dev.penstock.internal.plan.Source;
import dev.penstock.internal.table.Table;
import dev.penstock.internal.table.ValuesPerRow;
import dev.penstock.options.Columns;
import dev.penstock.options.LoaderOptions;
import dev.penstock.options.Transformation;
import dev.penstock.schema.Schema;
import dev.penstock.split.Rank;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The columns of a loader's batches, and what makes them of those that are read.
public record BatchColumns(
    LoaderOptions options,
    @Nullable BlockTransform transform,
    @Nullable Composing composing,
    Schema schema) {
  /// Asks the transform and the composition what they make of the columns that are read of a table.
  ///
  /// @throws IllegalArgumentException if one does not fit them
  public static BatchColumns of(LoaderOptions options, Schema read, Table table) {
    Transformation asked = options.transformation();
    BlockTransform transform =
        asked
            .function()
            .map(each -> BlockTransform.of(each, asked.rows(), asked.keepsRows(), read))
            .orElse(null);
    Schema rows = transform == null ? read : transform.output();
    named(options)
        .filter(name -> rows.find(name).isEmpty() && read.find(name).isEmpty())
        .forEach(name -> {
          table.requireNoFolder(name);
          requireNotLeftOut(name, table.everyColumn());
        });
    Composing composing =
        options
            .batching()
            .composition()
            .map(each -> Composing.of(each, options.batching().size(), rows))
            .orElse(null);
    return new BatchColumns(
        options, transform, composing, composing == null ? rows : composing.output());
  }

  /// Returns batches of the same rows without columns. Only those are read that decide which rows
  /// they have: that of a composition; all that a transform is given.
  public BatchColumns deciding() {
    return new BatchColumns(
        options,
        transform,
        composing == null
            ? null
            : Composing.of(composing.how(), composing.batchSize(), composing.deciding()),
        Schema.of(List.of()));
  }

  /// Returns the columns that the options name.
  private static Stream<String> named(LoaderOptions options) {
    Columns columns = options.columns();
    Stream<String> forms =
        Stream.of(columns.nulls(), columns.timestamps(), columns.decimals(), columns.strings())
            .flatMap(form -> form.byName().keySet().stream())
            .filter(name -> !columns.features().containsKey(name)); // it may be a matrix's policy
    return Stream.of(
            columns.features().values().stream().flatMap(List::stream),
            columns.kept().stream(),
            forms,
            options.batching().composition().map(Composition::column).stream())
        .flatMap(names -> names);
  }

  private static void requireNotLeftOut(String name, Schema all) {
    if (all.find(name).isPresent()) {
      Remedy columns = Remedy.name("columns");
      throw Advice.argumentError(
          "Cannot use column '%s': %s leaves it out. Name it there, too.", name, columns);
    }
  }

  /// Returns the rows of a batch: no more than there are to deliver, whatever was asked for.
  public int batchSize(List<Run> runs) {
    long rows = runs.stream().mapToLong(Run::rowCount).sum();
    int asked = options.batching().size();
    boolean mayGrow = !options.transformation().keepsRows() || composing != null;
    return mayGrow ? asked : Math.clamp(rows, 1, asked);
  }

  /// Returns what each batch looks like; the files may tell how long lists are.
  public BatchLayout layout(Table table, ColumnForms forms, int batchSize) {
    Schema read = table.everyColumn();
    int length = composing == null ? 0 : composing.length();
    return BatchLayout.of(
        schema,
        batchSize,
        options.columns().output(),
        options.memoryUse().allocator().isPresent(),
        forms,
        options.columns().features(),
        options.columns().kept(),
        column ->
            length > 0
                ? new ValuesPerRow(length, length)
                : schema.find(column).equals(read.find(column))
                    ? table.valuesPerRow(column)
                    : ValuesPerRow.UNKNOWN);
  }

  public RowSteps steps(List<Source> sources, List<FilterMemo> findings, long epoch, Rank rank) {
    return new RowSteps(
        sources.stream()
            .map(source ->
                new RowSteps.Source(source.table().everyColumn(), findings.get(source.number())))
            .toList(),
        transform,
        composing,
        epoch,
        options.order().seed(),
        rank,
        null,
        null);
  }
}
