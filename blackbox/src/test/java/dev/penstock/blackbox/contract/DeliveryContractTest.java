package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.files.Schemas;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.ByteSize;
import dev.penstock.split.RoundRobinSplitStrategy;
import dev.penstock.split.Shuffle;
import dev.penstock.split.SplitStrategy;
import dev.penstock.split.TargetSizeSplitStrategy;
import dev.penstock.tck.Table;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What every format promises of the rows of its files: each once, in one order, in exact batches.
class DeliveryContractTest extends FileContract {

  static List<ContractFiles> files() {
    return ContractFiles.ofOrderAndStores();
  }

  private Table randomTable(Random random) {
    return Table.random(random, random.nextBoolean() ? 3 : 0, writer());
  }

  private StructuredDataset dataset(Table table, Random layout) throws IOException {
    return writer().dataset(folder, table, layout);
  }

  private static LoaderOptions options() {
    return LoaderOptions.defaults().nulls(NullPolicy.mask());
  }

  private static LoaderOptions random(Random random) {
    int[] batchSizes = {1, 7, 100, 1024, 100_000};
    OutputFormat[] outputs = OutputFormat.values();
    return options()
        .batchSize(batchSizes[random.nextInt(batchSizes.length)])
        .workers(Workers.any(random))
        .prefetchFactor(1 + random.nextInt(3))
        .output(outputs[random.nextInt(outputs.length)]);
  }

  private static SplitStrategy randomStrategy(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> TargetSizeSplitStrategy.ofDefault();
      case 1 -> TargetSizeSplitStrategy.ofRows(1 + random.nextInt(200));
      case 2 -> TargetSizeSplitStrategy.ofBytes(new ByteSize(1 + random.nextInt(4000)));
      default -> new RoundRobinSplitStrategy();
    };
  }

  @Seeded(runs = 60)
  void everyRowIsDeliveredOnceInFileOrderInExactBatches(Random random) throws IOException {
    Table table = randomTable(random);
    StructuredDataset dataset = dataset(table, random).splitStrategy(randomStrategy(random));
    LoaderOptions options = random(random).dropLast(random.nextInt(3) == 0);
    int size = options.batching().size();
    int rows = table.rows().size();
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      Delivery delivery = Delivery.ofEpoch(loader);

      int delivered = options.batching().dropLast() ? rows - rows % size : rows;
      assertThat(delivery.rows()).as("%s", table).isEqualTo(table.rows().subList(0, delivered));
      List<Integer> expectedSizes = new ArrayList<>();
      for (int left = delivered; left > 0; left -= size) {
        expectedSizes.add(Math.min(left, size));
      }
      assertThat(delivery.batchRows()).isEqualTo(expectedSizes);
      assertThat(loader.batchesPerEpoch()).isEqualTo(expectedSizes.size());
      assertThat(dataset.schema()).isEqualTo(writer().read(table.schema()));
    }
  }

  @Seeded(runs = 15)
  void orderDependsNeitherOnWorkersNorOnPrefetchNorOnTheBatchForm(Random random)
      throws IOException {
    Table table = randomTable(random);
    StructuredDataset dataset = dataset(table, random).splitRows(1 + random.nextInt(100));
    LoaderOptions base =
        random(random)
            .shuffle(random.nextBoolean())
            .seed(random.nextLong())
            .dropLast(random.nextBoolean());
    List<Delivery> expected = epochs(dataset, base.workers(0).prefetchFactor(1), 3);
    for (int workers : Workers.COUNTS) {
      LoaderOptions options = base.workers(workers).prefetchFactor(1 + random.nextInt(3));
      assertThat(epochs(dataset, options, 3)).as("%s workers", workers).isEqualTo(expected);
    }
    for (OutputFormat output : OutputFormat.values()) {
      assertThat(epochs(dataset, base.output(output), 3))
          .extracting(Delivery::batches)
          .isEqualTo(expected.stream().map(Delivery::batches).toList());
    }
  }

  private static List<Delivery> epochs(
      StructuredDataset dataset, LoaderOptions options, int count) {
    List<Delivery> epochs = new ArrayList<>();
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      for (int i = 0; i < count; i++) {
        epochs.add(Delivery.ofEpoch(loader));
      }
    }
    return epochs;
  }

  @Test
  void epochsAdvanceByThemselvesAndSetEpochGoesToAny() throws IOException {
    StructuredDataset dataset = dataset(Tables.counting(groups(40, 3)), new Random(0)).splitRows(3);
    for (int workers : Workers.COUNTS) {
      LoaderOptions options = options().batchSize(7).workers(workers).shuffle(true).seed(5);
      List<List<Long>> orders = new ArrayList<>();
      try (DataLoader loader = DataLoader.of(dataset, options)) {
        for (int epoch = 0; epoch < 4; epoch++) {
          try (EpochIterator<Batch> iterator = loader.iterator()) {
            assertThat(iterator.epoch()).isEqualTo(epoch);
            orders.add(Delivery.of(iterator, loader).ids());
          }
        }
        assertThat(new HashSet<>(orders)).hasSize(4);

        loader.setEpoch(2);
        assertThat(Delivery.ofEpoch(loader).ids()).isEqualTo(orders.get(2));
        assertThat(Delivery.ofEpoch(loader).ids()).isEqualTo(orders.get(3));
        loader.setEpoch(0);
        assertThat(Delivery.ofEpoch(loader).ids()).isEqualTo(orders.get(0));
      }
      try (DataLoader another = DataLoader.of(dataset, options)) {
        another.setEpoch(3);
        assertThat(Delivery.ofEpoch(another).ids()).isEqualTo(orders.get(3));
      }
    }
  }

  @Test
  void everySeedAndEpochHasItsOwnOrder() throws IOException {
    StructuredDataset dataset = dataset(Tables.counting(groups(40, 2)), new Random(0)).splitRows(2);
    Set<List<Long>> orders = new HashSet<>();
    for (long seed = 40; seed < 45; seed++) {
      LoaderOptions options = options().shuffle(true).seed(seed).workers(2);
      try (DataLoader loader = DataLoader.of(dataset, options)) {
        for (int epoch = 0; epoch < 5; epoch++) {
          orders.add(Delivery.ofEpoch(loader).ids());
        }
      }
    }
    // 25 different ones: seed 42 in epoch 1 is not seed 43 in epoch 0 either.
    assertThat(orders).hasSize(25);
  }

  @Seeded(runs = 10)
  void shuffleMovesWholeSplits(Random random) throws IOException {
    Table table = randomTable(random);
    StructuredDataset dataset = dataset(table, random).splitRows(1 + random.nextInt(150));
    LoaderOptions options = random(random).shuffle(Shuffle.splits()).seed(random.nextLong());
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      for (int epoch = 0; epoch < 2; epoch++) {
        List<List<Object>> expected = new ArrayList<>();
        dataset.plan(options, epoch).sequence().stream()
            .forEach(split -> {
              int file = dataset.files().indexOf(split.file());
              expected.addAll(
                  table
                      .files()
                      .get(file)
                      .rows()
                      .subList((int) split.firstRow(), (int) split.endRow()));
            });
        List<List<Object>> delivered = Delivery.ofEpoch(loader).rows();
        assertThat(delivered).isEqualTo(expected);
        assertThat(counts(delivered)).isEqualTo(counts(table.rows()));
      }
    }
  }

  private static Map<List<Object>, Integer> counts(List<List<Object>> rows) {
    Map<List<Object>, Integer> counts = new HashMap<>();
    rows.forEach(row -> counts.merge(row, 1, Integer::sum));
    return counts;
  }

  @Test
  void planShowsTheFileSplitsOfEachReaderAndReadsNoRows() throws IOException {
    StructuredDataset dataset =
        dataset(Tables.counting(groups(5, 10), groups(3, 10)), new Random(0)).splitRows(20);
    var plan = dataset.plan(options().workers(2), 0);
    assertThat(plan.sequence())
        .extracting(split -> split.rows())
        .containsExactly(20L, 20L, 10L, 20L, 10L);
    assertThat(plan.splits()).hasSize(2);
    assertThat(plan.splits()).extracting(split -> split.rows()).containsExactly(40L, 40L);
    assertThat(plan.rows()).isEqualTo(80);
    assertThat(dataset.plan(options().shuffle(true).seed(1), 0).sequence())
        .containsExactlyInAnyOrderElementsOf(plan.sequence());
  }

  @Test
  void columnsComeInTheWantedOrder() throws IOException {
    Table table = Table.random(new Random(3), Schemas.of(writer().types()));
    StructuredDataset dataset = dataset(table, new Random(0));
    List<String> names = new ArrayList<>(table.schema().names());
    names.sort(Comparator.reverseOrder());
    try (DataLoader loader = DataLoader.of(dataset.columns(names), options().workers(1))) {
      for (Batch batch : loader) {
        assertThat(batch.names().stream().filter(name -> !name.endsWith(".mask")).toList())
            .isEqualTo(names);
        batch.close();
      }
    }
  }

  @Test
  void batchLargerThanTheDataTakesNoMoreMemoryThanTheDataNeeds() throws IOException {
    StructuredDataset dataset = dataset(Tables.counting(new int[] {10}), new Random(0));
    LoaderOptions options = options().batchSize(Integer.MAX_VALUE).workers(1);
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      assertThat(Delivery.ofEpoch(loader).batchRows()).containsExactly(10);
      assertThat(loader.stats().memory().peakBytes()).isLessThan(16 << 20);
    }
  }

  @Test
  void typeOfAColumnStaysWhenOnlySomeBatchesHaveNulls() throws IOException {
    Table table = Table.random(new Random(11), Schemas.of(writer().types()));
    StructuredDataset dataset = dataset(table, new Random(0));
    for (OutputFormat output : OutputFormat.values()) {
      LoaderOptions options = options().batchSize(3).output(output).workers(2);
      Set<List<String>> forms = new HashSet<>();
      try (DataLoader loader = DataLoader.of(dataset, options)) {
        for (Batch batch : loader) {
          try (batch) {
            forms.add(Schemas.forms(batch));
          }
        }
      }
      assertThat(forms).hasSize(1);
    }
  }

  /// Returns the rows of `count` row groups.
  static int[] groups(int count, int rows) {
    int[] groups = new int[count];
    java.util.Arrays.fill(groups, rows);
    return groups;
  }
}
