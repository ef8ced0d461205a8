package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.CollatedLoader;
import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.contract.Workers;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.tck.Table;
import dev.penstock.testing.Seeded;
import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.Transform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a user's own functions are given, and what becomes of what they make and throw.
class TransformTest {
  private static final DataType INT64 = new DataType.Int(64, true);

  @TempDir Path folder;

  private StructuredDataset write(Table table) throws IOException {
    return new StructuredDataset(new ParquetFiles().write(folder, table, new Random(5)).toString());
  }

  private StructuredDataset counting(int[]... groups) throws IOException {
    return write(Tables.counting(groups));
  }

  private static LoaderOptions options(int workers) {
    return LoaderOptions.defaults().batchSize(7).workers(workers).nulls(NullPolicy.mask());
  }

  /// The rows of a block, each with the block's number of rows and its first id.
  private static ColumnBlock marked(ColumnBlock block) {
    long[] ids = block.longs("id");
    long[] first = new long[ids.length];
    Arrays.fill(first, ids.length == 0 ? 0 : ids[0]);
    int[] sizes = new int[ids.length];
    Arrays.fill(sizes, ids.length);
    return block.with("first", first).with("size", sizes);
  }

  @Test
  void blocksAreAlignedRunsOfTheWantedRowsOfARowGroup() throws IOException {
    StructuredDataset dataset =
        counting(new int[] {25, 10}, new int[] {30}).where("id != 3 and id < 60");
    for (int workers : Workers.COUNTS) {
      LoaderOptions options = options(workers).transform((block, _) -> marked(block), 10);
      try (DataLoader loader = DataLoader.of(dataset, options)) {
        List<String> seen = new ArrayList<>();
        for (Batch batch : loader) {
          try (batch) {
            for (int row = 0; row < batch.rowCount(); row++) {
              seen.add(batch.tensor("first").getLong(row) + "+" + batch.tensor("size").getInt(row));
            }
          }
        }
        assertThat(seen).hasSize(59);
        assertThat(seen.stream().distinct())
            .containsExactly("0+9", "10+10", "20+5", "25+10", "35+10", "45+10", "55+5");
      }
    }
  }

  @Test
  void wholeRowGroupsAreGivenOnRequest() throws IOException {
    StructuredDataset dataset = counting(new int[] {20_000, 100}, new int[] {9_000});
    for (int workers : Workers.COUNTS) {
      Set<String> blocks = ConcurrentHashMap.newKeySet();
      Transform transform =
          (block, context) -> {
            context.file().ifPresent(_ -> blocks.add(context.firstRow() + "+" + block.rowCount()));
            assertThat(context.worker()).isBetween(0, Math.max(0, workers - 1));
            return block;
          };
      LoaderOptions options = options(workers).transformRowGroups(transform);
      try (DataLoader loader = DataLoader.of(dataset, options)) {
        assertThat(Delivery.ofEpoch(loader).ids()).hasSize(29_100);
      }
      assertThat(blocks).containsExactlyInAnyOrder("0+20000", "20000+100", "0+9000");
    }
  }

  @Test
  void transformIsToldTheRank() throws IOException {
    StructuredDataset dataset = counting(new int[] {40, 40});
    for (int workers : Workers.COUNTS) {
      Set<String> ranks = ConcurrentHashMap.newKeySet();
      Transform transform =
          (block, context) -> {
            context.file().ifPresent(_ -> ranks.add(context.rank() + " of " + context.world()));
            return block;
          };
      LoaderOptions options = options(workers).transform(transform).rank(new Rank(1, 3));
      try (DataLoader loader = DataLoader.of(dataset, options)) {
        assertThat(Delivery.ofEpoch(loader).ids()).hasSize(27);
      }
      assertThat(ranks).containsExactly("1 of 3");
    }
  }

  @Seeded(runs = 40)
  void rowsMayBeDroppedAddedAndReordered(Random random) throws IOException {
    Table table = Tables.random(random, random.nextInt(3));
    int rows = 1 + random.nextInt(60);
    int kind = random.nextInt(4);
    List<List<Object>> expected = new ArrayList<>();
    for (Table.DataFile file : table.files()) {
      for (List<List<Object>> group : file.groups()) {
        for (int from = 0; from < group.size(); from += rows) {
          List<List<Object>> block = group.subList(from, Math.min(group.size(), from + rows));
          for (int row : chosen(kind, block.size())) {
            expected.add(block.get(row));
          }
        }
      }
    }
    OutputFormat[] outputs = OutputFormat.values();
    LoaderOptions options =
        options(Workers.any(random))
            .output(outputs[random.nextInt(outputs.length)])
            .transform((block, _) -> block.take(chosen(kind, block.rowCount())), rows);
    try (DataLoader loader = DataLoader.of(write(table), options)) {
      Delivery delivery = Delivery.ofEpoch(loader);
      assertThat(delivery.rows()).as("%s", table).isEqualTo(expected);
      assertThat(delivery.batchRows().stream().limit(Math.max(0, delivery.batchRows().size() - 1)))
          .allMatch(size -> size == 7);
    }
  }

  private static int[] chosen(int kind, int rows) {
    return switch (kind) {
      case 0 -> IntStream.range(0, rows).filter(row -> row % 3 == 1).toArray();
      case 1 -> IntStream.range(0, 2 * rows).map(row -> row / 2).toArray();
      case 2 -> IntStream.range(0, rows).map(row -> rows - 1 - row).toArray();
      default -> IntStream.range(0, rows).map(row -> row ^ 1).filter(row -> row < rows).toArray();
    };
  }

  /// The rows of the second file are left out when it is known where they would begin, but not how
  /// many rows there are in all.
  @Test
  void noBlockIsWithoutRowsWhereTheLastOneGaveNone() throws IOException {
    StructuredDataset dataset =
        counting(new int[] {20}, new int[] {30}, new int[] {5}, new int[] {6});
    CountDownLatch firstFileIsCounted = new CountDownLatch(1);
    CountDownLatch secondFileIsOver = new CountDownLatch(1);
    List<String> blocks = Collections.synchronizedList(new ArrayList<>());
    Transform transform =
        (block, context) -> {
          context.file().ifPresent(_ -> blocks.add(context.firstRow() + "+" + block.rowCount()));
          return switch (block.rowCount()) {
            case 30 -> {
              await(firstFileIsCounted);
              yield block.take(new int[0]);
            }
            case 5 -> {
              await(secondFileIsOver);
              yield block;
            }
            case 6 -> {
              secondFileIsOver.countDown();
              yield block;
            }
            default -> block;
          };
        };
    try (DataLoader loader = DataLoader.of(dataset, options(2).transform(transform));
        EpochIterator<Batch> batches = loader.iterator()) {
      batches.next().close();
      firstFileIsCounted.countDown();
      batches.forEachRemaining(Batch::close);
    }
    assertThat(blocks).containsExactlyInAnyOrder("0+20", "0+30", "0+5", "0+6");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void closeWaitsForTheBlocksThatWereBegunAndNoMore() throws Exception {
    int[] file = {1000};
    for (Shuffle shuffle : List.of(Shuffle.none(), Shuffle.window(1000))) {
      CountDownLatch begun = new CountDownLatch(2);
      CountDownLatch closing = new CountDownLatch(1);
      AtomicInteger blocks = new AtomicInteger();
      Transform transform =
          (block, context) -> {
            if (context.file().isPresent()) {
              blocks.incrementAndGet();
              begun.countDown();
              await(closing);
            }
            return block;
          };
      LoaderOptions options = options(2).shuffle(shuffle).transform(transform, 10);
      DataLoader loader = DataLoader.of(counting(file, file, file, file), options);
      EpochIterator<Batch> batches = loader.iterator();
      await(begun);
      Thread closer = new Thread(batches::close);
      closer.start();
      while (closer.getState() != Thread.State.WAITING
          && closer.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait(); // it waits for the workers
      }
      closing.countDown();
      closer.join();
      loader.close();
      assertThat(blocks).hasValue(2);
    }
  }

  @Test
  void columnsMayBeAddedReplacedAndLeftOut() throws IOException {
    Schema schema =
        Schema.of(
            List.of(
                new Field("a", INT64, true),
                new Field("b", new DataType.Utf8(), true),
                new Field("c", new DataType.Floating(64), false)));
    List<List<Object>> rows =
        List.of(Arrays.asList(1L, "x", 0.5), Arrays.asList(null, null, 1.5), List.of(3L, "", 2.5));
    StructuredDataset dataset =
        write(new Table(schema, List.of(new Table.DataFile("part-0", List.of(rows)))));
    Transform transform =
        (block, _) ->
            block
                .with("sum", sum(block.doubles("a"), block.doubles("c")))
                .with("b", upper(block.strings("b")))
                .with("known", block.present("a"))
                .with("half", block.floats("c"))
                .withPresent("half", block.present("a"))
                .without("c");
    try (DataLoader loader =
        DataLoader.of(dataset, options(1).transform(transform).features("x", "sum", "half"))) {
      Batch batch = loader.iterator().next();
      assertThat(batch.names()).containsExactly("a", "a.mask", "b", "known", "x");
      assertThat((float[]) batch.tensor("x").toArray())
          .containsExactly(1.5f, 0.5f, Float.NaN, Float.NaN, 5.5f, 2.5f);
      assertThat(batch.strings("b")).containsExactly("X", null, "");
      assertThat((boolean[]) batch.tensor("known").toArray()).containsExactly(true, false, true);
      batch.close();
    }
  }

  private static double[] sum(double[] left, double[] right) {
    return IntStream.range(0, left.length).mapToDouble(i -> left[i] + right[i]).toArray();
  }

  private static String[] upper(String[] texts) {
    return Arrays.stream(texts)
        .map(text -> text == null ? null : text.toUpperCase(java.util.Locale.ROOT))
        .toArray(String[]::new);
  }

  @Test
  void failureNamesTheRowsAndComesAfterTheBatchesBeforeThem() throws IOException {
    StructuredDataset dataset = counting(new int[] {40, 40}, new int[] {40});
    for (int workers : Workers.COUNTS) {
      LoaderOptions options =
          options(workers)
              .transform(
                  (block, context) -> {
                    if (block.rowCount() > 0 && block.longs("id")[0] == 60) {
                      throw new IOException("no more");
                    }
                    return block;
                  },
                  20);
      try (DataLoader loader = DataLoader.of(dataset, options);
          EpochIterator<Batch> batches = loader.iterator()) {
        for (int batch = 0; batch < 8; batch++) {
          batches.next().close();
        }
        assertThatThrownBy(batches::next)
            .isInstanceOf(UncheckedIOException.class)
            .hasMessage(
                "Cannot transform rows [60, 80) of "
                    + folder.resolve("part-0.parquet")
                    + ": java.io.IOException: no more")
            .hasRootCauseMessage("no more");
      }
    }
  }

  @Test
  void nullInsteadOfABlockIsAnErrorThatSaysWhatToReturn() throws IOException {
    StructuredDataset dataset = counting(new int[] {5});
    Transform nothing = (_, _) -> null;
    Transform later = (block, _) -> block.rowCount() == 0 ? block : null;
    String expected = "returned null but expected a ColumnBlock";
    for (Transform transform : List.of(nothing, later, nothing.andThen((block, _) -> block))) {
      try (DataLoader loader = DataLoader.of(dataset, options(1).transform(transform))) {
        assertThatThrownBy(() -> loader.iterator().next()).hasMessageContaining(expected);
      }
    }
    try (var loader =
        DataLoader.of(dataset, options(1))
            .collate(batch -> {
              batch.close();
              return null;
            })) {
      assertThatThrownBy(() -> loader.iterator().next())
          .hasMessageContaining("the function returned null but expected a result");
    }
  }

  @Test
  void columnsThatChangeAreAnError() throws IOException {
    StructuredDataset dataset = counting(new int[] {5});
    Transform fickle =
        (block, _) -> block.rowCount() == 0 ? block : block.with("more", block.longs("id"));
    try (DataLoader loader = DataLoader.of(dataset, options(1).transform(fickle))) {
      assertThatThrownBy(() -> loader.iterator().next())
          .hasMessageContaining("it gave columns [id: int64 not null, more: int64 not null] but")
          .hasMessageContaining("[id: int64 not null] when it was asked with no rows");
    }
    Transform broken = (block, _) -> block.without("name");
    try (DataLoader loader = DataLoader.of(dataset, options(1).transform(broken))) {
      assertThatThrownBy(loader::iterator)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Cannot learn the columns that the transform gives")
          .hasMessageContaining("Cannot transform column 'name': no such column in the block");
      assertThatThrownBy(loader::batchesPerEpoch).hasMessageContaining("transform");
    }
  }

  @Test
  void nullErrorInATransformedBlockComesAfterTheSameBatches() throws IOException {
    StructuredDataset dataset = counting(new int[] {40, 40});
    Transform nulls =
        (block, _) -> {
          long[] ids = block.longs("id");
          boolean[] present = new boolean[ids.length];
          for (int i = 0; i < ids.length; i++) {
            present[i] = ids[i] != 33;
          }
          return block.withPresent("id", present);
        };
    for (int workers : Workers.COUNTS) {
      LoaderOptions options = options(workers).nulls(NullPolicy.error()).transformRowGroups(nulls);
      try (DataLoader loader = DataLoader.of(dataset, options);
          EpochIterator<Batch> batches = loader.iterator()) {
        for (int batch = 0; batch < 4; batch++) {
          try (Batch next = batches.next()) {
            assertThat(next.tensor("id").getLong(0)).isEqualTo(7L * batch);
          }
        }
        assertThatThrownBy(batches::next).hasMessageContaining("column 'id'");
      }
    }
  }

  /// Whichever worker meets it, and whether it was decoded early or put into a window first.
  @Test
  void nullErrorNamesTheRowThatWasTransformed() throws IOException {
    StructuredDataset dataset =
        counting(new int[] {40, 40}, new int[] {30}).where("id != 65 and id != 3");
    Transform nulls =
        (block, _) -> {
          boolean[] present = new boolean[block.rowCount()];
          long[] ids = block.longs("id");
          for (int row = 0; row < present.length; row++) {
            present[row] = ids[row] != 73;
          }
          return block.withPresent("id", present);
        };
    Shuffle[] shuffles = {Shuffle.none(), Shuffle.window(50)};
    assertNullError(dataset, nulls, "row 73", shuffles);
    Transform reversed = (block, _) -> block.take(chosen(2, block.rowCount()));
    Transform odd =
        (block, _) -> {
          long[] ids = block.longs("id");
          return block.take(
              IntStream.range(0, ids.length).filter(row -> ids[row] % 2 == 1).toArray());
        };
    Transform more = (block, _) -> block.with("more", block.longs("id"));
    assertNullError(
        dataset, odd.andThen(nulls).andThen(reversed).andThen(more), "row 73", shuffles);
    Transform anew =
        (block, _) -> new ColumnBlock(block.schema(), block.rowCount(), List.of(block.slice("id")));
    assertNullError(dataset, nulls.andThen(anew), "a row made of rows [60, 80)", Shuffle.none());
  }

  private void assertNullError(
      StructuredDataset dataset, Transform transform, String row, Shuffle... shuffles) {
    for (Shuffle shuffle : shuffles) {
      for (int workers : Workers.COUNTS) {
        LoaderOptions options =
            options(workers).nulls(NullPolicy.error()).shuffle(shuffle).transform(transform, 20);
        try (DataLoader loader = DataLoader.of(dataset, options)) {
          assertThatThrownBy(() -> loader.iterator().forEachRemaining(Batch::close))
              .hasMessageContaining("Cannot batch column 'id': " + row + " is null and ")
              .hasMessageEndingWith("[" + folder.resolve("part-0.parquet") + ", " + row + "]");
        }
      }
    }
  }

  /// A sum that keeps its batch.
  private record Held(Batch batch, long first, AtomicInteger closed) implements AutoCloseable {
    @Override
    public void close() {
      closed.incrementAndGet();
      batch.close();
    }
  }

  @Test
  void collatedBatchesComeInOrderAndMayKeepTheirMemory() throws IOException {
    StructuredDataset dataset = counting(new int[] {40, 40}, new int[] {25});
    for (int workers : Workers.COUNTS) {
      AtomicInteger closed = new AtomicInteger();
      DataLoader loader = DataLoader.of(dataset, options(workers));
      try (CollatedLoader<Held> held =
          loader.collate(batch -> new Held(batch, batch.tensor("id").getLong(0), closed))) {
        List<Long> firsts = new ArrayList<>();
        for (Held each : held) {
          try (each) {
            firsts.add(each.first());
            assertThat(each.batch().tensor("id").getLong(0)).isEqualTo(each.first());
          }
        }
        assertThat(firsts).isEqualTo(IntStream.range(0, 15).mapToObj(i -> 7L * i).toList());
        assertThat(closed).hasValue(15);
        EpochIterator<Held> stopped = held.iterator();
        stopped.next().close();
        stopped.close();
      }
      assertThat(loader.stats().memory().bytes()).isZero();
    }
  }

  @Test
  void failureOfACollationNamesTheBatch() throws IOException {
    StructuredDataset dataset = counting(new int[] {40, 40});
    for (int workers : Workers.COUNTS) {
      DataLoader loader = DataLoader.of(dataset, options(workers));
      try (CollatedLoader<Long> sums =
          loader.collate(batch -> {
            try (batch) {
              long first = batch.tensor("id").getLong(0);
              if (first == 21) {
                throw new IOException("no");
              }
              return first;
            }
          })) {
        EpochIterator<Long> iterator = sums.iterator();
        assertThat(List.of(iterator.next(), iterator.next(), iterator.next()))
            .containsExactly(0L, 7L, 14L);
        assertThatThrownBy(iterator::next)
            .isInstanceOf(UncheckedIOException.class)
            .hasMessage("Cannot collate batch 3: java.io.IOException: no");
      }
      assertThat(loader.stats().memory().bytes()).isZero();
    }
  }
}
