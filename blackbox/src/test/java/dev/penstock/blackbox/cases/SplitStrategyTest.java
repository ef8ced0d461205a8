package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.contract.Leaks;
import dev.penstock.blackbox.contract.Workers;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Split;
import dev.penstock.split.SplitStrategy;
import dev.penstock.split.TargetSizeSplitStrategy;
import dev.penstock.storage.Location;
import dev.penstock.tck.Table;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A user's own strategy: a lambda.
class SplitStrategyTest {
  @TempDir Path folder;

  private StructuredDataset dataset(Table table, SplitStrategy strategy) throws IOException {
    Path written = new ParquetFiles().write(folder, table, new Random(1));
    return new StructuredDataset(written.toString()).splitStrategy(strategy);
  }

  private static List<Long> ids(StructuredDataset dataset, LoaderOptions options) {
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      return Delivery.ofEpoch(loader).ids();
    }
  }

  private static LoaderOptions options() {
    return LoaderOptions.defaults().batchSize(7).workers(2);
  }

  @Test
  void firstOfEachSplitComesBeforeTheSecondOfEach() throws IOException {
    SplitStrategy strategy =
        (files, count, epoch) ->
            List.of(
                new Split(
                    List.of(
                        FileSplit.of(files.get(0), 0, 3),
                        FileSplit.of(files.get(0), 3, 3),
                        FileSplit.of(files.get(0), 6, 2))),
                new Split(
                    List.of(FileSplit.of(files.get(1), 2, 2), FileSplit.of(files.get(1), 0, 2))));
    StructuredDataset dataset = dataset(Tables.counting(new int[] {4, 4}, new int[] {4}), strategy);
    assertThat(ids(dataset, options()))
        .containsExactly(0L, 1L, 2L, 10L, 11L, 3L, 4L, 5L, 8L, 9L, 6L, 7L);
  }

  @Seeded(runs = 25)
  void rangesThatStartAndEndInsideRowGroupsAreHonoured(Random random) throws IOException {
    Table table =
        Tables.counting(
            new int[] {1 + random.nextInt(60), 0, 1 + random.nextInt(60)},
            new int[] {0},
            new int[] {1 + random.nextInt(60)});
    long seed = random.nextLong();
    SplitStrategy strategy = (files, _, epoch) -> randomSplits(files, new Random(seed + epoch));
    StructuredDataset dataset = dataset(table, strategy);
    List<Long> expected = new ArrayList<>();
    List<Split> splits = randomSplits(dataset.files(), new Random(seed));
    for (int turn = 0; turn < 1000; turn++) {
      for (Split split : splits) {
        if (turn < split.fileSplits().size()) {
          FileSplit piece = split.fileSplits().get(turn);
          table
              .files()
              .get(dataset.files().indexOf(piece.file()))
              .rows()
              .subList((int) piece.firstRow(), (int) piece.endRow())
              .forEach(row -> expected.add((Long) row.getFirst()));
        }
      }
    }
    for (int workers : Workers.COUNTS) {
      assertThat(ids(dataset, options().workers(workers))).isEqualTo(expected);
    }
    assertThat(ids(dataset, options().shuffle(true).seed(seed)))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  private static List<Split> randomSplits(List<DataFileInfo> files, Random random) {
    List<FileSplit> pieces = new ArrayList<>();
    for (DataFileInfo file : files) {
      long start = 0;
      while (start < file.rows()) {
        long length = 1 + random.nextLong(Math.min(15, file.rows() - start));
        pieces.add(FileSplit.of(file, start, length));
        start += length;
      }
    }
    Collections.shuffle(pieces, random);
    List<Split> splits = new ArrayList<>();
    while (!pieces.isEmpty()) {
      List<FileSplit> some = pieces.subList(0, 1 + random.nextInt(pieces.size()));
      splits.add(new Split(some));
      some.clear();
    }
    return splits;
  }

  @Test
  void strategyIsToldTheReadersAndTheEpoch() throws IOException {
    List<String> calls = new ArrayList<>();
    StructuredDataset dataset =
        dataset(
            Tables.counting(new int[] {5}),
            (files, count, epoch) -> {
              calls.add(count + " readers, epoch " + epoch);
              return List.of(new Split(List.of(FileSplit.whole(files.getFirst()))));
            });
    try (DataLoader loader = DataLoader.of(dataset, options().workers(3))) {
      Delivery.ofEpoch(loader);
      loader.setEpoch(7);
      Delivery.ofEpoch(loader);
    }
    ids(dataset, options().workers(0));
    assertThat(calls)
        .containsExactly("3 readers, epoch 0", "3 readers, epoch 7", "1 readers, epoch 0");
  }

  @Test
  void fileWithoutRowsMayBeLeftOutOrTakenWhole() throws IOException {
    Table table = Tables.counting(new int[] {0}, new int[] {3});
    SplitStrategy without =
        (files, _, _) -> List.of(new Split(List.of(FileSplit.whole(files.get(1)))));
    SplitStrategy with =
        (files, _, _) -> List.of(new Split(files.stream().map(FileSplit::whole).toList()));
    assertThat(ids(dataset(table, without), options())).containsExactly(0L, 1L, 2L);
    assertThat(ids(dataset(table, with), options())).containsExactly(0L, 1L, 2L);
  }

  @Test
  void rowsAreReadWhenTheStrategyNamesAFileByItsLocationOnly() throws IOException {
    StructuredDataset dataset =
        dataset(
            Tables.counting(new int[] {4, 5}),
            (files, _, _) -> {
              DataFileInfo copy = new DataFileInfo(files.getFirst().location(), 0, List.of());
              return List.of(new Split(List.of(FileSplit.of(copy, 0, 9))));
            });
    assertTimeoutPreemptively(
        Duration.ofSeconds(30), () -> assertThat(ids(dataset, options())).hasSize(9));
  }

  @Test
  void whatAStrategyThrowsReachesTheCaller() throws IOException {
    StructuredDataset dataset =
        dataset(
            Tables.counting(new int[] {4}),
            (_, _, epoch) -> {
              throw new UnsupportedOperationException("no plan for epoch " + epoch);
            });
    try (DataLoader loader = DataLoader.of(dataset, options())) {
      assertThatThrownBy(loader::iterator)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "Cannot plan epoch 0: the split strategy failed:"
                  + " java.lang.UnsupportedOperationException: no plan for epoch 0")
          .hasCauseInstanceOf(UnsupportedOperationException.class);
    }
    Leaks.assertNoThreads();
  }

  /// What somebody does who had row groups as batches.
  @Test
  void batchesAreRowGroupsIfThoseHaveTheSizeOfABatch() throws IOException {
    Table table = Tables.counting(new int[] {10, 10, 10}, new int[] {10}, new int[] {10, 10});
    for (int workers : Workers.COUNTS) {
      StructuredDataset dataset = dataset(table, TargetSizeSplitStrategy.ofRows(10));
      Set<Long> firsts = new HashSet<>();
      try (DataLoader loader =
          DataLoader.of(dataset, options().batchSize(10).workers(workers).shuffle(true).seed(3))) {
        for (Batch batch : loader) {
          try (batch) {
            long first = batch.tensor("id").getLong(0);
            assertThat(first % 10).isZero();
            for (int row = 0; row < 10; row++) {
              assertThat(batch.tensor("id").getLong(row)).isEqualTo(first + row);
            }
            firsts.add(first);
          }
        }
      }
      assertThat(firsts).containsExactlyInAnyOrder(0L, 10L, 20L, 30L, 40L, 50L);
    }
  }

  @Nested
  class WhenRowsAreNotInExactlyOneFileSplit {
    private static final String RULE = " Every row must be in exactly one.";

    private void refused(String fault, List<long[]> ranges) throws IOException {
      Table table = Tables.counting(new int[] {4, 6});
      StructuredDataset dataset =
          dataset(
              table,
              (files, _, _) -> {
                List<FileSplit> pieces = new ArrayList<>();
                ranges.forEach(
                    range -> pieces.add(FileSplit.of(files.getFirst(), range[0], range[1])));
                return List.of(new Split(pieces));
              });
      String path = folder.resolve("part-0.parquet").toString();
      try (DataLoader loader = DataLoader.of(dataset, options())) {
        assertThatIllegalArgumentException()
            .isThrownBy(loader::iterator)
            .withMessage(
                "Cannot use the split strategy's plan: " + fault.formatted(path) + "." + RULE);
      }
      Leaks.assertNoThreads();
    }

    @Test
    void gapIsRefused() throws IOException {
      refused(
          "rows [3, 5) of %s are in no FileSplit", List.of(new long[] {0, 3}, new long[] {5, 5}));
    }

    @Test
    void missingEndIsRefused() throws IOException {
      refused("rows [8, 10) of %s are in no FileSplit", List.of(new long[] {0, 8}));
    }

    @Test
    void overlapIsRefused() throws IOException {
      refused(
          "rows [5, 7) of %s are in two FileSplits", List.of(new long[] {5, 5}, new long[] {0, 7}));
    }

    @Test
    void rowsBeyondTheFileAreRefused() throws IOException {
      refused(
          "%s rows [4, 11) goes beyond the file, which has 10 rows",
          List.of(new long[] {0, 4}, new long[] {4, 7}));
    }

    @Test
    void noSplitsAtAllAreRefused() throws IOException {
      refused("rows [0, 10) of %s are in no FileSplit", List.of());
    }

    @Test
    void foreignFileIsRefused() throws IOException {
      StructuredDataset dataset =
          dataset(
              Tables.counting(new int[] {10}),
              (_, _, _) -> {
                DataFileInfo other = new DataFileInfo(new Location("/other"), 1, List.of());
                return List.of(new Split(List.of(FileSplit.of(other, 0, 10))));
              });
      try (DataLoader loader = DataLoader.of(dataset, options())) {
        assertThatIllegalArgumentException()
            .isThrownBy(loader::iterator)
            .withMessage(
                "Cannot use the split strategy's plan: /other rows [0, 10) is of a file that is"
                    + " not in the dataset."
                    + RULE);
      }
    }
  }
}
