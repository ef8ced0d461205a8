package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.RowsOfSteps;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.filter.Filter;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.steps.StepRow;
import dev.penstock.steps.Steps;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is said and refused of the rows of steps. That they are those which loaders deliver is a
/// contract of all formats.
class RowsOfStepsTest {
  @TempDir Path folder;
  private StructuredDataset dataset;
  private final LoaderOptions options =
      LoaderOptions.defaults().batchSize(4).workers(1).rank(new Rank(0, 2));

  @BeforeEach
  void write() throws IOException {
    dataset =
        new ParquetFiles()
            .dataset(folder, Tables.counting(new int[] {10, 10}, new int[] {7}), new Random(1));
  }

  private LoaderState stateAfter(int steps, LoaderOptions run) {
    try (DataLoader loader = DataLoader.of(dataset, run);
        EpochIterator<Batch> epoch = loader.iterator()) {
      for (int i = 0; i < steps; i++) {
        epoch.next().close();
      }
      return loader.state();
    }
  }

  private static List<Long> rows(RowsOfSteps asked, Steps steps, int rank) {
    return asked.rows(steps, rank).map(StepRow::row).toList();
  }

  @Test
  void aStepHasTheRowsOfEachRankInTheOrderOfItsBatch() {
    RowsOfSteps asked = RowsOfSteps.of(dataset, options, 0);
    assertThat(asked.rows(Steps.of(1)))
        .extracting(row -> row.rank() + ":" + row.place() + " " + row.file().name() + row.row())
        .containsExactly(
            "0:0 part-0.parquet4",
            "0:1 part-0.parquet5",
            "0:2 part-0.parquet6",
            "0:3 part-0.parquet7",
            "1:0 part-0.parquet18",
            "1:1 part-0.parquet19",
            "1:2 part-1.parquet0",
            "1:3 part-1.parquet1");
    assertThat(asked.rows(new Steps(4, Long.MAX_VALUE))).isEmpty();
    assertThatThrownBy(() -> asked.rows(Steps.of(0), 2))
        .hasMessage("Cannot tell the rows of rank 2: the ranks of epoch 0 are in [0, 2).");
    assertThat(asked.find(Filter.parse("id = 19")))
        .singleElement()
        .extracting(StepRow::step, StepRow::rank, StepRow::place, StepRow::row)
        .containsExactly(1L, 1, 1, 19L);
  }

  @Test
  void stepsOfAnotherBatchSizeAreRefusedAndLaterOnesAreNot() {
    LoaderState state = stateAfter(2, options.batchSize(3));
    RowsOfSteps asked = RowsOfSteps.of(dataset, options, state);
    assertThat(rows(asked, Steps.of(2), 0)).containsExactly(6L, 7L, 8L, 9L);
    assertThatThrownBy(() -> rows(asked, Steps.of(1), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot tell the rows of step 1: rank 0 had 6 rows in the steps before step 2, which"
                + " are not batches of 4. Give the batchSize() that the run had then.");
    assertThatThrownBy(() -> asked.find(Filter.parse("id = 5")))
        .hasMessageContaining("which are not batches of 4");
    assertThat(asked.find(Filter.parse("id = 6"))).hasSize(1);
  }

  @Test
  void aFilterThatWasNotCountedTakesAPass() {
    StructuredDataset some = dataset.where("id != 3");
    RowsOfSteps asked = RowsOfSteps.of(some, options.rank(Rank.SINGLE), 0);
    assertThatThrownBy(() -> asked.rows(Steps.of(0)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Cannot tell the rows of steps without a pass over the data: which rows match the"
                + " filter is known only when its columns are read. Allow it with"
                + " RowsOfSteps.pass(true).");
    assertThat(rows(asked.pass(true), Steps.of(0), 0)).containsExactly(0L, 1L, 2L, 4L);
  }

  @Test
  void batchesWhoseStepsNothingTellsAreRefused() {
    assertThatThrownBy(() ->
            RowsOfSteps.of(dataset, options.rank(Rank.SINGLE).workers(2).splitPerWorker(true), 0)
                .rows(Steps.of(0)))
        .hasMessage(
            "Cannot tell the rows of steps: each worker makes batches of its own Split. Leave out"
                + " splitPerWorker(true).");
    assertThatThrownBy(() -> RowsOfSteps.of(dataset, options.inOrder(false), 0).rows(Steps.of(0)))
        .hasMessage(
            "Cannot tell the rows of steps: batches come as soon as they are ready. Leave out"
                + " inOrder(false).");
    assertThatThrownBy(() -> RowsOfSteps.of(dataset, options, -1))
        .hasMessage("The epoch must be at least 0, got -1.");
  }

  @Test
  void aLoaderThatGoesOnInAnotherWorldTellsTheStepsOfBoth() {
    LoaderState state = stateAfter(1, options);
    try (DataLoader loader = DataLoader.of(dataset, options.rank(Rank.SINGLE))) {
      loader.resume(state);
      assertThat(loader.rowsOf(Steps.of(0))).hasSize(8);
      assertThat(loader.rowsOf(new Steps(1, 9)).map(StepRow::step).distinct())
          .containsExactly(1L, 2L, 3L, 4L, 5L);
    }
  }
}
