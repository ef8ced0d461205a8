package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.Mixture;
import dev.penstock.Mixture.Stop;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.files.NextIds;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.Schema;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.tck.Table;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/// What every format promises of mixtures: each block of rows has the shares of the weights, each
/// source its own order, and all else is as it is without a mixture.
class MixtureContractTest extends FileContract {

  /// The rows in which shares hold to within one row.
  private static final int BLOCK = 1024;

  static List<ContractFiles> files() {
    return ContractFiles.ofOrder();
  }

  /// A row of a mixture.
  private record Row(int source, long id) {}

  /// A mixture, the rows of each of its sources in order, their shares, and the rows that filters
  /// leave out.
  private record Case(
      StructuredDataset dataset,
      LoaderOptions options,
      List<List<Long>> ids,
      List<Double> shares,
      long leftOut) {
    DataLoader loader(Rank rank, UnaryOperator<LoaderOptions> change) {
      return DataLoader.of(dataset, change.apply(options.rank(rank)));
    }

    int sources() {
      return ids.size();
    }
  }

  private Case random(Random random, Stop stop) throws IOException {
    int sources = 1 + random.nextInt(4);
    List<List<Long>> ids = new ArrayList<>();
    double[] weights = new double[sources];
    double sum = 0;
    long leftOut = 0;
    Mixture mixture = null;
    for (int source = 0; source < sources; source++) {
      int[][] files = new int[1 + random.nextInt(3)][];
      long rows = 0;
      for (int file = 0; file < files.length; file++) {
        files[file] =
            random.ints(1 + random.nextInt(3), 1, random.nextInt(4) == 0 ? 900 : 90).toArray();
        for (int group : files[file]) {
          rows += group;
        }
      }
      Path own = folder.resolve("source-" + source);
      StructuredDataset dataset =
          writer().dataset(own, CountedRanksContractTest.table(files), random).columns("id");
      List<Long> kept = LongStream.range(0, rows).boxed().toList();
      if (random.nextInt(3) == 0) { // the first row is kept, so that no source is empty
        int step = 1 + random.nextInt(5);
        dataset = dataset.where("id = 0 or pick < " + step);
        kept =
            kept.stream()
                .filter(id -> id == 0 || CountedRanksContractTest.pick(id) < step)
                .toList();
      }
      if (random.nextBoolean()) {
        dataset = dataset.splitRows(1 + random.nextInt(60));
      }
      ids.add(kept);
      leftOut += rows - kept.size();
      weights[source] = random.nextInt(3) == 0 ? 1 : 0.05 + random.nextDouble();
      sum += weights[source];
      mixture =
          mixture == null
              ? Mixture.of(dataset, weights[source])
              : mixture.and(dataset, weights[source]);
    }
    for (int source = 0; source < sources; source++) {
      weights[source] /= sum;
    }
    LoaderOptions options =
        LoaderOptions.defaults().batchSize(1 + random.nextInt(40)).seed(random.nextLong());
    if (random.nextInt(3) == 0) {
      options = options.transform(new NextIds(), 1 + random.nextInt(100));
    }
    return new Case(
        new StructuredDataset(mixture.stop(stop).sourceColumn("source")),
        options,
        ids,
        DoubleStream.of(weights).boxed().toList(),
        leftOut);
  }

  private static Stop stop(Random random) {
    return List.of(Stop.values()).get(random.nextInt(3));
  }

  private Shuffle shuffle(Random random) {
    return switch (random.nextInt(writer().isCached() ? 5 : 3)) {
      case 0 -> Shuffle.none();
      case 1 -> Shuffle.splits();
      case 3, 4 -> Shuffle.global();
      default -> Shuffle.window(1 + random.nextInt(200)).interleave(1 + random.nextInt(3));
    };
  }

  private static List<Row> rows(Batch batch) {
    List<Row> rows = new ArrayList<>();
    for (int row = 0; row < batch.rowCount(); row++) {
      rows.add(new Row((int) batch.tensor("source").getLong(row), batch.tensor("id").getLong(row)));
    }
    return rows;
  }

  private static List<List<Row>> batches(DataLoader loader, long most) {
    List<List<Row>> batches = new ArrayList<>();
    EpochIterator<Batch> epoch = loader.iterator(); // left open, as if it were cut short
    while (batches.size() < most && epoch.hasNext()) {
      try (Batch batch = epoch.next()) {
        if (loader.options().transformation().function().isPresent()) {
          NextIds.requireNext(batch);
        }
        batches.add(rows(batch));
      }
    }
    return batches;
  }

  private static List<Row> epoch(DataLoader loader) {
    return batches(loader, Long.MAX_VALUE).stream().flatMap(List::stream).toList();
  }

  private static List<Long> ofSource(List<Row> rows, int source) {
    return rows.stream().filter(row -> row.source() == source).map(Row::id).toList();
  }

  /// Returns rows of a source that is read again and again, from some row on.
  private static List<Long> cyclic(List<Long> ids, long from, int count) {
    List<Long> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(ids.get((int) ((from + i) % ids.size())));
    }
    return rows;
  }

  // --- Order

  @Seeded(runs = 40)
  void blocksHaveTheirSharesAndSourcesTheirOrder(Random random) throws IOException {
    Stop stop = stop(random);
    Case each = random(random, stop);
    long[] before = new long[each.sources()];
    try (DataLoader loader = each.loader(Rank.SINGLE, o -> o.workers(Workers.any(random)))) {
      for (int epoch = 0; epoch < 3; epoch++) {
        List<Row> rows = epoch(loader);
        for (int source = 0; source < each.sources(); source++) {
          List<Long> own = ofSource(rows, source);
          assertThat(own).isEqualTo(cyclic(each.ids().get(source), before[source], own.size()));
          before[source] += own.size();
          if (stop == Stop.ALL) {
            assertThat(own).hasSameSizeAs(each.ids().get(source));
          } else if (stop == Stop.REPEAT) {
            assertThat(own).hasSizeGreaterThanOrEqualTo(each.ids().get(source).size());
          } else {
            assertThat(own).hasSizeLessThanOrEqualTo(each.ids().get(source).size());
          }
        }
        requireShares(each, rows, stop == Stop.ALL);
        assertThat(loader.stats().rowsOfSources())
            .isEqualTo(
                LongStream.range(0, each.sources())
                    .mapToObj(source -> (long) ofSource(rows, (int) source).size())
                    .toList());
        assertThat(loader.stats().read().skipped().total()).isEqualTo(each.leftOut());
        assertThat(loader.batchesPerEpoch())
            .isEqualTo(Math.ceilDiv(rows.size(), each.options().batching().size()));
      }
    }
  }

  /// Where sources end one after another, shares hold until the first of them does.
  private static void requireShares(Case each, List<Row> rows, boolean untilOneEnds) {
    long[] left = each.ids().stream().mapToLong(List::size).toArray();
    for (int start = 0; start < rows.size(); start += BLOCK) {
      List<Row> block = rows.subList(start, Math.min(rows.size(), start + BLOCK));
      boolean holds = true;
      for (int source = 0; source < left.length; source++) {
        left[source] -= ofSource(block, source).size();
        holds &= left[source] > 0 || !untilOneEnds;
      }
      for (int source = 0; source < left.length && holds; source++) {
        assertThat((double) ofSource(block, source).size())
            .isCloseTo(each.shares().get(source) * block.size(), within(1.01));
      }
    }
  }

  @Seeded(runs = 30)
  void orderDependsOnNeitherWorkersNorBatches(Random random) throws IOException {
    Case each = random(random, stop(random));
    Shuffle shuffle = shuffle(random);
    List<List<Row>> all = new ArrayList<>();
    for (int workers : Workers.COUNTS) {
      try (DataLoader loader =
          each.loader(
              Rank.SINGLE,
              o ->
                  o.shuffle(shuffle)
                      .workers(workers)
                      .memory(random.nextBoolean() ? "4MiB" : "64MiB")
                      .batchSize(1 + random.nextInt(100)))) {
        loader.setEpoch(1);
        all.add(epoch(loader));
      }
    }
    assertThat(all.stream().distinct()).hasSize(1);
  }

  /// The rows of a window are those of it without a shuffle, and the same sources have its places.
  @Seeded(runs = 20)
  void windowShufflesTheRowsOfEachSource(Random random) throws IOException {
    Case each = random(random, stop(random));
    int size = 1 + random.nextInt(300);
    List<Row> plain;
    List<Row> shuffled;
    try (DataLoader loader = each.loader(Rank.SINGLE, o -> o.shuffle(Shuffle.splits()))) {
      plain = epoch(loader);
    }
    UnaryOperator<LoaderOptions> change =
        o -> o.shuffle(Shuffle.window(size).interleave(1)).workers(Workers.any(random));
    try (DataLoader loader = each.loader(Rank.SINGLE, change)) {
      shuffled = epoch(loader);
    }
    for (int start = 0; start < plain.size(); start += size) {
      int end = Math.min(plain.size(), start + size);
      assertThat(shuffled.subList(start, end))
          .containsExactlyInAnyOrderElementsOf(plain.subList(start, end));
      assertThat(shuffled.subList(start, end).stream().map(Row::source))
          .isEqualTo(plain.subList(start, end).stream().map(Row::source).toList());
    }
  }

  /// Columns of any type, in any form.
  @Seeded(runs = 30)
  void valuesOfAllTypesAreThoseOfTheSources(Random random) throws IOException {
    Schema schema = Table.random(random, random.nextInt(3), writer()).schema();
    List<List<List<Object>>> tables = new ArrayList<>();
    Mixture mixture = null;
    for (int source = 0; source < 3; source++) {
      Table table = Table.random(random, schema);
      while (table.rows().isEmpty()) {
        table = Table.random(random, schema);
      }
      tables.add(table.rows());
      StructuredDataset dataset =
          writer().dataset(folder.resolve("source-" + source), table, random);
      double weight = 0.2 + random.nextDouble();
      mixture = mixture == null ? Mixture.of(dataset, weight) : mixture.and(dataset, weight);
    }
    StructuredDataset mixed =
        new StructuredDataset(mixture.stop(Stop.ALL).sourceColumn("number of the source"));
    LoaderOptions options =
        LoaderOptions.defaults()
            .nulls(NullPolicy.mask())
            .rank(Rank.SINGLE)
            .batchSize(1 + random.nextInt(100))
            .output(List.of(OutputFormat.values()).get(random.nextInt(4)))
            .workers(Workers.any(random));
    try (DataLoader loader = DataLoader.of(mixed, options)) {
      List<List<Object>> rows = Delivery.ofEpoch(loader).rows();
      for (int source = 0; source < 3; source++) {
        Object number = source;
        List<List<Object>> own =
            rows.stream()
                .filter(row -> row.getLast().equals(number))
                .map(row -> row.subList(0, row.size() - 1))
                .toList();
        assertThat(own).as("%s", schema).isEqualTo(tables.get(source));
      }
    }
  }

  // --- Ranks and resume

  @Seeded(runs = 30)
  void ranksTogetherHaveTheRowsOfOne(Random random) throws IOException {
    Case each = random(random, stop(random));
    TogetherRanks.assertHaveTheRowsOfOne(
        random,
        rank -> each.loader(rank, o -> o.workers(Workers.any(random))),
        loader -> batches(loader, Long.MAX_VALUE));
  }

  @Seeded(runs = 30)
  void runThatStopsAfterAnyBatchGoesOn(Random random) throws IOException {
    Case each = random(random, stop(random));
    Shuffle shuffle = shuffle(random);
    int epoch = random.nextInt(3);
    UnaryOperator<LoaderOptions> change = o -> o.shuffle(shuffle).workers(Workers.any(random));
    List<List<Row>> whole;
    try (DataLoader loader = each.loader(Rank.SINGLE, change)) {
      loader.setEpoch(epoch);
      whole = batches(loader, Long.MAX_VALUE);
    }
    int stop = random.nextInt(whole.size());
    LoaderState state;
    try (DataLoader loader = each.loader(Rank.SINGLE, change)) {
      loader.setEpoch(epoch);
      batches(loader, stop);
      state = LoaderState.parse(loader.state().toJson());
      assertThat(state.toJson().length()).isLessThan(1024);
    }
    try (DataLoader loader = each.loader(Rank.SINGLE, change)) {
      loader.resume(state);
      assertThat(batches(loader, Long.MAX_VALUE)).isEqualTo(whole.subList(stop, whole.size()));
    }
  }

  /// Four ranks, then one, then two: each time with the state of one rank.
  @Seeded(runs = 30)
  void otherWorldsGoOnWithTheStateOfOneRank(Random random) throws IOException {
    Case each = random(random, stop(random));
    Shuffle shuffle = shuffle(random);
    boolean isOneOrder = !(shuffle instanceof Shuffle.Window); // ranks have windows of their own
    List<Row> one;
    try (DataLoader loader =
        each.loader(Rank.SINGLE, o -> o.shuffle(isOneOrder ? shuffle : Shuffle.splits()))) {
      one = epoch(loader);
    }
    List<Row> delivered = new ArrayList<>();
    LoaderState state = null;
    for (int world : new int[] {4, 1, 2}) {
      int steps = world == 2 ? Integer.MAX_VALUE : random.nextInt(4);
      LoaderState next = null;
      for (int rank = 0; rank < world; rank++) {
        try (DataLoader loader =
            each.loader(
                new Rank(rank, world), o -> o.shuffle(shuffle).workers(Workers.any(random)))) {
          if (state != null) {
            loader.resume(state);
          }
          batches(loader, steps).forEach(delivered::addAll);
          next = rank == 0 ? loader.state() : next;
        }
      }
      if (next == null || next.epoch() > 0) {
        break;
      }
      state = LoaderState.parse(next.toJson());
    }
    if (isOneOrder) {
      assertThat(delivered).containsExactlyInAnyOrderElementsOf(one);
    } else {
      assertThat(delivered).hasSameSizeAs(one);
      for (int source = 0; source < each.sources(); source++) {
        assertThat(ofSource(delivered, source)).hasSameSizeAs(ofSource(one, source));
      }
    }
  }
}
