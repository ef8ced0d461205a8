package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.SampleLoader;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import dev.penstock.blackbox.contract.Workers;
import dev.penstock.data.Datasets;
import dev.penstock.data.IterableDataset;
import dev.penstock.data.MapDataset;
import dev.penstock.data.Sharing;
import dev.penstock.options.IterableOptions;
import dev.penstock.options.MapOptions;
import dev.penstock.sample.BatchSampler;
import dev.penstock.sample.SequentialSampler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Rows one by one, held against torch's `batch_size=None`, and what does not go with them. What
/// torch does was recorded from torch 2.15.0.
class UnbatchedTest {
  private static final MapDataset<Long> ROWS = Datasets.ofList(List.of(10L, 20L, 30L));
  private static final IterableDataset<Long> STREAM =
      Sharing.byRemainder(Datasets.ofIterators(() -> List.of(10L, 20L, 30L).iterator()));

  private static <B> List<B> epoch(SampleLoader<?, B> loader) {
    try (loader) {
      List<B> batches = new ArrayList<>();
      loader.iterator().forEachRemaining(batches::add);
      return batches;
    }
  }

  /// `list(DataLoader(rows, batch_size=None, collate_fn=lambda x: ("f", x)))` is `[("f", 10), ("f",
  /// 20), ("f", 30)]`, of both kinds of datasets, with 0 and 2 workers.
  @Test
  void aFunctionIsGivenEachRow() {
    for (int workers : Workers.COUNTS) {
      assertThat(epoch(DataLoader.of(ROWS, o -> o.workers(workers).unbatched(row -> "f" + row))))
          .containsExactly("f10", "f20", "f30");
      assertThat(epoch(DataLoader.of(STREAM, o -> o.unbatched(row -> "f" + row).workers(workers))))
          .containsExactly("f10", "f20", "f30");
    }
  }

  @Test
  void whatTheFunctionThrowsComesAtItsRow() {
    SampleLoader<Long, Long> loader =
        DataLoader.of(
            ROWS,
            o ->
                o.unbatched(row -> {
                  if (row == 20) {
                    throw new IOException("20 cannot be opened.");
                  }
                  return row;
                }));
    try (var rows = loader.iterator()) {
      assertThat(rows.next()).isEqualTo(10);
      assertThatThrownBy(rows::next)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("20 cannot be opened.");
      assertThat(rows.next()).isEqualTo(30);
    }
    loader.close();
  }

  /// Torch calls `collate_fn` with each row; a collator is given a list, so it cannot be meant.
  @Test
  void collateIsRefusedInEitherOrder() {
    String[] remedies = {"collate", "unbatched(row -> ...)", "batchSize"};
    MapOptions<Long, Batch> byNumber = MapOptions.defaults();
    assertRefused(byNumber.unbatched().collate((rows, _) -> rows), remedies);
    assertRefused(byNumber.collate((rows, _) -> rows).unbatched(), remedies);
    assertRefused(byNumber.unbatched(row -> row + 1).collate((rows, _) -> rows), remedies);
    assertRefused(byNumber.collate((rows, _) -> rows).unbatched(row -> row), remedies);
    assertRefused(byNumber.unbatched().collate((rows, _) -> rows).dropLast(true), "dropLast");
    IterableOptions<Long, Batch> inTurn = IterableOptions.defaults();
    assertRefused(inTurn.unbatched().collate((rows, _) -> rows), remedies);
    assertRefused(inTurn.collate((rows, _) -> rows).unbatched(), remedies);
    assertRefused(inTurn.unbatched().collate((rows, _) -> rows).dropLast(true), "dropLast");
  }

  /// `DataLoader(rows, batch_size=None, drop_last=True)` is a ValueError, "batch_size=None option
  /// disables auto-batching and is mutually exclusive with drop_last", also with a `collate_fn` and
  /// of an iterable dataset.
  @Test
  void dropLastIsRefusedInEitherOrder() {
    MapOptions<Long, Batch> byNumber = MapOptions.defaults();
    assertRefused(byNumber.unbatched().dropLast(true), "unbatched", "dropLast", "batchSize");
    assertRefused(byNumber.dropLast(true).unbatched(row -> row), "unbatched", "dropLast");
    IterableOptions<Long, Batch> inTurn = IterableOptions.defaults();
    assertRefused(inTurn.unbatched().dropLast(true), "unbatched", "dropLast", "batchSize");
    assertRefused(inTurn.dropLast(true).unbatched(row -> row), "unbatched", "dropLast");
  }

  private static void assertRefused(MapOptions<Long, ?> options, String... words) {
    assertThatThrownBy(() -> DataLoader.of(ROWS, options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
  }

  private static void assertRefused(IterableOptions<Long, ?> options, String... words) {
    assertThatThrownBy(() -> DataLoader.of(STREAM, options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
  }

  // --- Rows as they are

  /// Torch delivers `[1, None, 3]`, and with a function on each row `[1, -1, 3]`.
  @Test
  void aNullRowIsAnErrorThatNamesItUnlessTheFunctionReplacesIt() {
    MapDataset<Long> rows = Datasets.ofList(Arrays.asList(1L, null, 3L));
    IterableDataset<Long> stream = Datasets.ofIterators(Arrays.asList((Long) null)::iterator);
    for (int workers : Workers.COUNTS) {
      assertThatThrownBy(() -> epoch(DataLoader.of(rows, o -> o.workers(workers).unbatched())))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageEndingWith(
              "Cannot deliver row 1: the dataset gave null. Leave the row out there, or put"
                  + " something in its place: unbatched(row -> ...) is given null.");
      assertThatThrownBy(() -> epoch(DataLoader.of(stream, o -> o.workers(workers).unbatched())))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Cannot deliver a row: the dataset gave null. ");
      assertThat(
              epoch(
                  DataLoader.of(
                      rows, o -> o.workers(workers).unbatched(row -> row == null ? -1 : row))))
          .containsExactly(1L, -1L, 3L);
    }
    assertThat(epoch(DataLoader.of(rows, o -> o.unbatched(Optional::ofNullable))))
        .containsExactly(Optional.of(1L), Optional.empty(), Optional.of(3L));
  }

  @Test
  void aFunctionThatMakesNullIsNamed() {
    SampleLoader<Long, Long> loader = DataLoader.of(ROWS, o -> o.unbatched(_ -> null));
    assertThatThrownBy(() -> epoch(loader))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Cannot deliver row 0: the function given to unbatched made null");
  }

  /// Torch makes tensors of numpy's arrays and leaves Python's own as they are, `[[1, 2]]` and
  /// `[array('f', [1.0])]`. A row's type is stated here, so a function changes it.
  @Test
  void arraysStayArraysUnlessTheFunctionMakesTensors() {
    float[] array = {1, 2};
    MapDataset<float[]> rows = Datasets.ofList(List.of(array));
    List<float[]> asTheyAre = epoch(DataLoader.of(rows, MapOptions<float[], Batch>::unbatched));
    assertThat(asTheyAre.getFirst()).isSameAs(array);
    List<Tensor> tensors =
        epoch(DataLoader.of(rows, o -> o.unbatched(row -> Tensor.of(row, row.length))));
    assertThat(tensors.getFirst()).hasToString(Tensor.of(new float[] {1, 2}, 2).toString());
  }

  // --- Torch's defaults, stated

  /// `DataLoader(rows, batch_sampler=BatchSampler(SequentialSampler(rows), 2, False),
  /// batch_size=1)` gives `[tensor([10, 20]), tensor([30])]`; `batch_size` of 2 or None is a
  /// ValueError.
  @Test
  void aBatchSamplerTakesTorchsDefaultBatchSize() {
    BatchSampler pairs = new BatchSampler(new SequentialSampler(3), 2, false);
    MapOptions<Long, List<Long>> lists =
        MapOptions.<Long>defaults().batchSampler(pairs).collate((rows, _) -> List.copyOf(rows));
    assertThat(epoch(DataLoader.of(ROWS, lists.batchSize(1)))).hasToString("[[10, 20], [30]]");
    assertRefused(lists.batchSize(2), "batchSampler", "batchSize");
    MapOptions<Long, Batch> batches = MapOptions.<Long>defaults().batchSampler(pairs);
    assertRefused(batches.unbatched(), "batchSampler", "unbatched");
  }

  @Test
  void withoutOptionsALoaderHasTheDefaults() {
    assertThat(DataLoader.of(ROWS)).hasToString(DataLoader.of(ROWS, o -> o).toString());
    assertThat(DataLoader.of(STREAM)).hasToString(DataLoader.of(STREAM, o -> o).toString());
    for (Batch batch : DataLoader.of(ROWS)) {
      try (batch) {
        assertThat(batch.rowCount()).isOne();
      }
    }
  }
}
