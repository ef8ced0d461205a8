package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.Mixture;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.contract.GlobalShuffles;
import dev.penstock.blackbox.files.DeletedRowsFiles;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.compose.Composition;
import dev.penstock.options.LoaderOptions;
import dev.penstock.sample.Generator;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.Shuffle;
import dev.penstock.tck.Table;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Epochs in which each row may come at any place.
///
/// That order, ranks and resume are as in any other order is shown by [OneOrderContractTest], whose
/// cached datasets are shuffled so.
class GlobalShuffleTest {
  @TempDir Path folder;
  @TempDir Path cache;

  private StructuredDataset cached(StructuredDataset dataset) {
    return dataset.cache(cache.toString(), "64MiB");
  }

  private static List<Long> ids(StructuredDataset dataset, LoaderOptions options, long epoch) {
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      loader.setEpoch(epoch);
      return Delivery.ofEpoch(loader).ids();
    }
  }

  private static LoaderOptions options(Random random, Shuffle shuffle) {
    return LoaderOptions.defaults()
        .shuffle(shuffle)
        .seed(random.nextInt(1000))
        .batchSize(1 + random.nextInt(40))
        .workers(random.nextInt(4))
        .nulls(NullPolicy.mask());
  }

  /// Torch's own numbers are those of [Generator#randperm], see its test.
  @Seeded(runs = 20)
  void torchVisitsTheRowsThatTheFilterKeepsAsRandpermSays(Random random) throws IOException {
    int[][] files = new int[1 + random.nextInt(3)][];
    Arrays.setAll(files, _ -> random.ints(1 + random.nextInt(3), 0, 80).toArray());
    new ParquetFiles().write(folder, Tables.counting(files), random);
    long rows = Arrays.stream(files).flatMapToInt(Arrays::stream).sum();
    long least = random.nextInt(60);
    StructuredDataset dataset =
        cached(new StructuredDataset(folder.toString()).where("id >= " + least));
    LoaderOptions options = options(random, Shuffle.torch().passes(GlobalShuffles.passes(random)));
    for (int epoch = 0; epoch < 3; epoch++) {
      long[] order =
          new Generator(options.order().seed() + epoch).randperm(Math.max(0, rows - least));
      List<Long> expected = LongStream.of(order).mapToObj(row -> row + least).toList();
      assertThat(ids(dataset, options, epoch)).isEqualTo(expected);
    }
  }

  @Seeded(runs = 30)
  void rowsComeWholeAndOnce(Random random) throws IOException {
    Table table = Tables.random(random, 2);
    List<Field> fields = new ArrayList<>(table.schema().fields());
    fields.addFirst(new Field("id", new DataType.Int(64, true), false));
    List<Table.DataFile> files = new ArrayList<>();
    long id = 0;
    for (Table.DataFile file : table.files()) {
      List<List<List<Object>>> groups = new ArrayList<>();
      for (List<List<Object>> group : file.groups()) {
        List<List<Object>> rows = new ArrayList<>();
        for (List<Object> row : group) {
          List<Object> more = new ArrayList<>(row);
          more.addFirst(id++);
          rows.add(more);
        }
        groups.add(rows);
      }
      files.add(new Table.DataFile(file.name(), groups));
    }
    new ParquetFiles().write(folder, new Table(Schema.of(fields), files), random);
    StructuredDataset dataset = cached(new StructuredDataset(folder.toString()));
    LoaderOptions options =
        options(random, Shuffle.global().passes(GlobalShuffles.passes(random)))
            .output(OutputFormat.MAP);
    List<List<Object>> inOrder;
    try (DataLoader loader = DataLoader.of(dataset, options.shuffle(Shuffle.none()))) {
      inOrder = Delivery.ofEpoch(loader).rows();
    }
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      List<List<Object>> shuffled = new ArrayList<>(Delivery.ofEpoch(loader).rows());
      assertThat(loader.stats().read().bytes()).isZero();
      Collections.sort(shuffled, (a, b) -> Long.compare((Long) a.get(0), (Long) b.get(0)));
      assertThat(shuffled).isEqualTo(inOrder);
    }
  }

  /// Wide and narrow matrices take different ways to their places.
  @Seeded(runs = 10)
  void matricesHaveTheRowsOfTheirPlaces(Random random) throws IOException {
    int width = 1 + random.nextInt(50);
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      fields.add(new Field("f" + i, new DataType.Floating(32), random.nextInt(30) == 0));
    }
    List<List<Object>> rows = new ArrayList<>();
    int count = 1 + random.nextInt(500);
    for (int row = 0; row < count; row++) {
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < width; i++) {
        values.add((float) (row * 64 + i));
      }
      rows.add(values);
    }
    Folder files = new Folder(folder);
    files.write("part-0.parquet", Schema.of(fields), rows);
    List<String> names = fields.stream().map(Field::name).toList();
    LoaderOptions options =
        options(random, Shuffle.torch().passes(GlobalShuffles.passes(random))).features("x", names);
    long[] order = new Generator(options.order().seed()).randperm(rows.size());
    try (DataLoader loader = DataLoader.of(cached(files.dataset()), options)) {
      int place = 0;
      for (Batch batch : loader) {
        try (batch) {
          for (int row = 0; row < batch.rowCount(); row++) {
            for (int i = 0; i < width; i++) {
              assertThat(batch.tensor("x").getFloat((long) row * width + i))
                  .isEqualTo((float) (order[place] * 64 + i));
            }
            place++;
          }
        }
      }
      assertThat(place).isEqualTo(rows.size());
    }
  }

  /// Other epochs leave gaps in the cache, between which rows were deleted.
  @Seeded(runs = 20)
  void deletedRowsAreLeftOut(Random random) throws IOException {
    int[] groups = random.ints(1 + random.nextInt(4), 1, 500).toArray();
    StructuredDataset dataset =
        cached(
            new DeletedRowsFiles(new ParquetFiles(), "parquet")
                .dataset(folder, Tables.counting(groups), random));
    long rows = Arrays.stream(groups).sum();
    long least = random.nextLong(rows);
    LoaderOptions options = options(random, Shuffle.window(1 + random.nextInt(100)));
    ids(dataset.where("id >= " + least), options, 0);
    assertThat(ids(dataset, options.shuffle(Shuffle.global()), 0))
        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, rows).boxed().toList());
  }

  @Test
  void seedsAndEpochsHaveOrdersOfTheirOwn() throws IOException {
    StructuredDataset dataset = cached(new Folder(folder).counting(new int[] {500}).dataset());
    LoaderOptions options = options(new Random(1), Shuffle.global());
    List<List<Long>> orders = new ArrayList<>();
    for (int seed = 0; seed < 3; seed++) {
      for (int epoch = 0; epoch < 3; epoch++) {
        orders.add(ids(dataset, options.seed(seed), epoch));
      }
    }
    assertThat(orders).doesNotHaveDuplicates();
    assertThat(ids(dataset, options.seed(2), 2)).isEqualTo(orders.getLast());
  }

  @Seeded(runs = 3)
  void rowThatCannotBeDeliveredIsNamed(Random random) throws IOException {
    Schema schema =
        Schema.of(
            List.of(
                new Field("id", new DataType.Int(64, true), false),
                new Field("value", new DataType.Int(32, true), true)));
    List<List<Object>> rows = new ArrayList<>();
    for (long id = 0; id < 300; id++) {
      rows.add(Arrays.asList(id, id == 217 ? null : (Object) 1));
    }
    Folder files = new Folder(folder);
    files.write("part-0.parquet", schema, rows);
    StructuredDataset dataset = cached(files.dataset().where("id >= 100"));
    LoaderOptions options =
        options(random, Shuffle.global().passes(GlobalShuffles.passes(random)))
            .nulls(NullPolicy.error());
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      assertThatThrownBy(() -> Delivery.ofEpoch(loader))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageStartingWith("Cannot batch column 'value': row 217 is null")
          .hasMessageContaining("row 217")
          .hasMessageContaining("part-0.parquet");
    }
  }

  @Test
  void wideRowsAreShuffledWithLittleMemory() throws IOException {
    StringBuilder text = new StringBuilder("id,text\n");
    for (int id = 0; id < 1500; id++) {
      text.append(id).append(',').append((id + " ").repeat(2000)).append('\n');
    }
    Path file = Files.writeString(folder.resolve("wide.csv"), text);
    LoaderOptions options =
        options(new Random(1), Shuffle.torch())
            .batchSize(1)
            .workers(1)
            .memory("8MiB")
            .output(OutputFormat.MAP);
    List<Long> expected =
        LongStream.of(new Generator(options.order().seed()).randperm(1500)).boxed().toList();
    assertThat(ids(cached(new StructuredDataset(file.toString())), options, 0)).isEqualTo(expected);
  }

  /// The sources keep their places; in each pass over a source every row comes once, in an order of
  /// its own.
  @Seeded(runs = 20)
  void mixtureShufflesAllRowsOfEachSource(Random random) throws IOException {
    StructuredDataset plain =
        new ParquetFiles().dataset(folder.resolve("plain"), counting(random), random);
    StructuredDataset deleted =
        new DeletedRowsFiles(new ParquetFiles(), "parquet")
            .dataset(folder.resolve("deleted"), counting(random), random);
    List<StructuredDataset> sources =
        List.of(
            cached(plain.where("id < 20 or id >= 35")),
            cached(deleted.where("id < 50 or id >= 60")));
    Mixture mixture =
        Mixture.of(sources.get(0), 0.1 + random.nextDouble())
            .and(sources.get(1), 0.1 + random.nextDouble())
            .stop(List.of(Mixture.Stop.values()).get(random.nextInt(3)));
    StructuredDataset mixed = new StructuredDataset(mixture.sourceColumn("source"));
    LoaderOptions options = options(random, Shuffle.global());
    List<List<Long>> seen = List.of(new ArrayList<>(), new ArrayList<>());
    try (DataLoader shuffled = DataLoader.of(mixed, options);
        DataLoader inOrder = DataLoader.of(mixed, options.shuffle(Shuffle.none()))) {
      for (int epoch = 0; epoch < 3; epoch++) {
        List<List<Object>> rows = Delivery.ofEpoch(shuffled).rows();
        assertThat(rows.stream().map(List::getLast))
            .isEqualTo(Delivery.ofEpoch(inOrder).rows().stream().map(List::getLast).toList());
        rows.forEach(row -> seen.get((int) row.getLast()).add((long) row.getFirst()));
        assertThat(shuffled.stats().rowsOfSources())
            .isEqualTo(inOrder.stats().rowsOfSources())
            .isEqualTo(mixed.plan(options, epoch).rowsOfSources());
      }
    }
    for (int source = 0; source < 2; source++) {
      List<Long> all = ids(sources.get(source), options.shuffle(Shuffle.none()), 0);
      List<Long> own = seen.get(source);
      List<List<Long>> passes = new ArrayList<>();
      for (int from = 0; from + all.size() <= own.size(); from += all.size()) {
        passes.add(own.subList(from, from + all.size()));
        assertThat(passes.getLast()).containsExactlyInAnyOrderElementsOf(all);
      }
      assertThat(own.subList(passes.size() * all.size(), own.size()))
          .doesNotHaveDuplicates()
          .isSubsetOf(all);
      assertThat(passes).doesNotHaveDuplicates();
    }
  }

  private static Table counting(Random random) {
    return Tables.counting(random.ints(1 + random.nextInt(4), 60, 500).toArray());
  }

  @Test
  void mixtureOfOneDatasetHasItsOrder() throws IOException {
    StructuredDataset dataset = cached(new Folder(folder).counting(new int[] {300, 9}).dataset());
    LoaderOptions options = options(new Random(1), Shuffle.global());
    for (int epoch = 0; epoch < 3; epoch++) {
      assertThat(ids(new StructuredDataset(Mixture.of(dataset, 1)), options, epoch))
          .isEqualTo(ids(dataset, options, epoch));
    }
  }

  @Test
  void whatCannotBeReadByNumberIsRefused() throws IOException {
    StructuredDataset without = new Folder(folder).counting(new int[] {30}).dataset();
    StructuredDataset dataset = cached(without);
    LoaderOptions options = LoaderOptions.defaults().workers(1).shuffle(Shuffle.global());
    assertRefused(without, options, "Use cache(folder, \"1MiB\") or Shuffle.window(rows).");
    assertRefused(dataset, options.transform((block, _) -> block), "keepsRows() is false");
    assertRefused(dataset, options.compose(Composition.draws("id")), "neighbouring rows");
    assertRefused(dataset, options.splitPerWorker(true), "its own Split");
    StructuredDataset mixed = new StructuredDataset(Mixture.of(dataset, 0.5).and(dataset, 0.5));
    assertRefused(mixed, options.shuffle(Shuffle.torch()), "torch's order and piles");
    assertRefused(
        mixed, options.shuffle(Shuffle.global().passes(Shuffle.Passes.TWO)), "of one dataset");
    StructuredDataset half = new StructuredDataset(Mixture.of(dataset, 0.5).and(without, 0.5));
    assertRefused(half, options, "Use cache(folder, \"1MiB\") or Shuffle.window(rows).");
  }

  private static void assertRefused(
      StructuredDataset dataset, LoaderOptions options, String reason) {
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      assertThatIllegalArgumentException()
          .isThrownBy(loader::iterator)
          .withMessageStartingWith("Cannot shuffle")
          .withMessageContaining(reason);
    }
  }

  @Test
  void cacheThatCannotHoldTheRowsIsAnError() throws IOException {
    Folder files = new Folder(folder).counting(new int[] {200_000, 200_000});
    StructuredDataset dataset = files.dataset().cache(cache.toString(), "1MiB");
    LoaderOptions options = LoaderOptions.defaults().workers(2).shuffle(Shuffle.global());
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      assertThatThrownBy(loader::iterator)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageStartingWith(
              "Cannot shuffle all rows: the cache '" + cache + "' does not hold")
          .satisfies(error -> {
            String size = GlobalShuffles.advisedSize(error);
            StructuredDataset larger = files.dataset().cache(cache.toString(), size);
            assertThat(ids(larger, options, 0)).hasSize(400_000);
          });
    }
  }

  @Test
  void cacheThatIsMissingIsAdvisedWithItsSize() throws IOException {
    Folder files = new Folder(folder).counting(new int[] {200_000, 200_000});
    LoaderOptions options = LoaderOptions.defaults().workers(2).shuffle(Shuffle.global());
    try (DataLoader loader = DataLoader.of(files.dataset(), options)) {
      assertThatIllegalArgumentException()
          .isThrownBy(loader::iterator)
          .withMessageStartingWith("Cannot shuffle by 'global': rows are read by number from a")
          .satisfies(error -> {
            String size = GlobalShuffles.advisedSize(error);
            StructuredDataset cached = files.dataset().cache(cache.toString(), size);
            assertThat(ids(cached, options, 0)).hasSize(400_000);
          });
    }
  }
}
