package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.Mixture;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.compose.Balance;
import dev.penstock.compose.Balanced;
import dev.penstock.compose.Buckets;
import dev.penstock.compose.Composition;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.stats.RankCosts;
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
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Batches of nearly the same cost on all ranks at each step.
class BalancedTest {
  private static final DataType LIST = new DataType.List(new DataType.Int(32, true), false);

  @TempDir Path folder;

  /// Writes lists whose lengths are about log-normal, and their lengths.
  private StructuredDataset lists(Random random, int files, int groups, int rows)
      throws IOException {
    Schema schema =
        Schema.of(
            List.of(
                new Field("id", new DataType.Int(64, true), false),
                new Field("tokens", LIST, false),
                new Field("length", new DataType.Int(32, true), false)));
    List<Table.DataFile> all = new ArrayList<>();
    long id = 0;
    for (int file = 0; file < files; file++) {
      List<List<List<Object>>> ofFile = new ArrayList<>();
      for (int group = 0; group < groups; group++) {
        List<List<Object>> ofGroup = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
          int length = (int) Math.min(400, Math.round(Math.exp(random.nextGaussian() + 2)));
          ofGroup.add(List.of(id++, Collections.nCopies(length, 7), length));
        }
        ofFile.add(ofGroup);
      }
      all.add(new Table.DataFile("part-" + file, ofFile));
    }
    return new ParquetFiles().dataset(folder, new Table(schema, all), random);
  }

  /// What a batch has: the ids of its rows, and the lengths of their lists.
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Received(List<Long> ids, int[] lengths) {
    static Received of(Batch batch) {
      long[] ids = (long[]) batch.tensor("id").toArray();
      int[] lengths =
          IntStream.range(0, batch.rowCount())
              .map(row -> ((int[]) batch.ragged("tokens").row(row).toArray()).length)
              .toArray();
      return new Received(LongStream.of(ids).boxed().toList(), lengths);
    }

    double elements() {
      return Arrays.stream(lengths).sum();
    }

    double padded() {
      return (double) lengths.length * Arrays.stream(lengths).max().orElse(0);
    }
  }

  private static List<Received> receive(DataLoader loader, long most) {
    List<Received> received = new ArrayList<>();
    EpochIterator<Batch> epoch = loader.iterator();
    while (received.size() < most && epoch.hasNext()) {
      try (Batch batch = epoch.next()) {
        received.add(Received.of(batch));
      }
    }
    return received;
  }

  private static List<List<Received>> ranks(
      StructuredDataset dataset, LoaderOptions options, int world) {
    List<List<Received>> all = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      try (DataLoader loader = DataLoader.of(dataset, options.rank(new Rank(rank, world)))) {
        all.add(receive(loader, Long.MAX_VALUE));
        assertThat(all.getLast()).hasSize((int) loader.batchesPerEpoch());
      }
    }
    return all;
  }

  /// Returns by how much the costliest rank is above the mean of its step, as a mean of all steps
  /// in which all batches are full.
  private static double imbalance(List<List<Received>> ranks, ToDoubleFunction<Received> cost) {
    int steps = ranks.stream().mapToInt(List::size).min().orElseThrow() - 1;
    double sum = 0;
    for (int step = 0; step < steps; step++) {
      int at = step;
      double[] costs =
          ranks.stream().mapToDouble(each -> cost.applyAsDouble(each.get(at))).toArray();
      sum +=
          Arrays.stream(costs).max().orElseThrow() / Arrays.stream(costs).average().orElseThrow();
    }
    return sum / steps - 1;
  }

  private static List<Long> ids(List<List<Received>> ranks) {
    return ranks.stream()
        .flatMap(List::stream)
        .flatMap(each -> each.ids().stream())
        .sorted()
        .toList();
  }

  private static List<Long> all(int rows) {
    return LongStream.range(0, rows).boxed().toList();
  }

  private static void assertSameSteps(List<List<Received>> ranks) {
    assertThat(ranks.stream().map(List::size).distinct()).hasSize(1);
  }

  @Seeded(runs = 20)
  void ranksHaveAboutTheSameNumberOfElementsAtEachStep(Random random) throws IOException {
    StructuredDataset dataset = lists(random, 4, 2, 512).columns("id", "tokens");
    LoaderOptions plain = LoaderOptions.defaults().batchSize(16).seed(random.nextLong());
    LoaderOptions even = plain.compose(Composition.balanced("tokens"));

    List<List<Received>> before = ranks(dataset, plain, 4);
    List<List<Received>> ranks = ranks(dataset, even, 4);

    assertThat(ids(ranks)).isEqualTo(all(4096));
    assertSameSteps(ranks);
    for (List<Received> rank : ranks) {
      assertThat(rank.subList(0, rank.size() - 1)).allMatch(each -> each.ids().size() == 16);
    }
    assertThat(imbalance(before, Received::elements)).isGreaterThan(0.2);
    assertThat(imbalance(ranks, Received::elements)).isLessThan(0.03);
  }

  @Seeded(runs = 20)
  void costsMayBeNumbersAndSquares(Random random) throws IOException {
    StructuredDataset dataset = lists(random, 2, 2, 512);
    Balance quadratic = Balance.DEFAULT.quadratic(0.1);
    LoaderOptions options =
        LoaderOptions.defaults()
            .batchSize(32)
            .shuffle(Shuffle.window(2048))
            .seed(random.nextLong())
            .compose(Composition.balanced("length", quadratic));

    ToDoubleFunction<Received> cost =
        each -> Arrays.stream(each.lengths()).mapToDouble(quadratic::cost).sum();

    List<List<Received>> before = ranks(dataset, options.compose(Composition.balanced("id")), 2);
    List<List<Received>> ranks = ranks(dataset, options, 2);

    assertThat(ids(ranks)).isEqualTo(all(2048));
    assertThat(imbalance(ranks, cost)).isLessThan(0.3 * imbalance(before, cost));
  }

  @Seeded(runs = 20)
  void bucketsOfOneStepHaveListsOfAboutTheSameLength(Random random) throws IOException {
    StructuredDataset dataset = lists(random, 4, 1, 512).columns("id", "tokens");
    var buckets = Composition.buckets("tokens");
    var some = random.nextBoolean() ? buckets : buckets.tokens(1_200);
    LoaderOptions options = LoaderOptions.defaults().batchSize(16).seed(random.nextLong());

    List<List<Received>> before = ranks(dataset, options.compose(some), 4);
    List<List<Received>> ranks = ranks(dataset, options.compose(some.balanced()), 4);

    assertThat(ids(ranks)).isEqualTo(all(2048));
    assertSameSteps(ranks);
    assertThat(imbalance(ranks, Received::padded))
        .isLessThan(0.25 * imbalance(before, Received::padded) + 0.05);
  }

  @Seeded(runs = 20)
  void packsOfOneStepHaveAboutTheSameCost(Random random) throws IOException {
    StructuredDataset dataset = lists(random, 4, 2, 512).columns("tokens");
    Balance squares = Balance.DEFAULT.quadratic(1);
    var packs = Composition.packs("tokens", 512);
    var some = random.nextBoolean() ? packs : packs.whole();
    LoaderOptions options = LoaderOptions.defaults().batchSize(2).seed(random.nextLong());
    ToDoubleFunction<List<int[]>> cost =
        batch ->
            batch.stream()
                .mapToDouble(segments -> {
                  double sum = 0;
                  int run = 0;
                  for (int i = 0; i < segments.length; i++) {
                    run = i > 0 && segments[i] == segments[i - 1] ? run + 1 : 1;
                    boolean isLast = i + 1 == segments.length || segments[i + 1] != segments[i];
                    sum += isLast && segments[i] > 0 ? squares.cost(run) : 0;
                  }
                  return sum;
                })
                .sum();
    double[] costs = new double[2];
    List<Integer> steps = new ArrayList<>();
    for (int balanced = 0; balanced < 2; balanced++) {
      List<List<List<int[]>>> ranks = new ArrayList<>();
      for (int rank = 0; rank < 4; rank++) {
        LoaderOptions how =
            options.compose(balanced == 0 ? some : some.balanced(squares)).rank(new Rank(rank, 4));
        List<List<int[]>> received = new ArrayList<>();
        try (DataLoader loader = DataLoader.of(dataset, how)) {
          for (Batch batch : loader) {
            try (batch) {
              int[] segments = (int[]) batch.tensor("tokens.segment").toArray();
              received.add(
                  IntStream.range(0, batch.rowCount())
                      .mapToObj(row -> Arrays.copyOfRange(segments, row * 512, (row + 1) * 512))
                      .toList());
            }
          }
        }
        ranks.add(received);
        steps.add(received.size());
      }
      int full = ranks.stream().mapToInt(List::size).min().orElseThrow() - 1;
      for (int step = 0; step < full; step++) {
        int at = step;
        double[] each =
            ranks.stream().mapToDouble(rank -> cost.applyAsDouble(rank.get(at))).toArray();
        costs[balanced] +=
            Arrays.stream(each).max().orElseThrow() / Arrays.stream(each).average().orElseThrow()
                - 1;
      }
    }
    assertThat(steps.stream().distinct()).hasSize(1);
    assertThat(costs[1]).isLessThan(0.6 * costs[0]);
  }

  @Seeded(runs = 20)
  void batchesOfAStepOfTheOptimizerAreBalancedToo(Random random) throws IOException {
    StructuredDataset dataset = lists(random, 4, 2, 512).columns("id", "tokens");
    LoaderOptions options =
        LoaderOptions.defaults()
            .batchSize(8)
            .seed(random.nextLong())
            .compose(Composition.balanced("tokens", Balance.DEFAULT.accumulate(4)));

    List<List<Received>> ranks = ranks(dataset, options, 2);

    assertThat(ids(ranks)).isEqualTo(all(4096));
    assertThat(imbalance(ranks, Received::elements)).isLessThan(0.08);
    List<List<Received>> steps = new ArrayList<>();
    for (List<Received> rank : ranks) {
      List<Received> joined = new ArrayList<>();
      for (int at = 0; at + 4 <= rank.size(); at += 4) {
        joined.add(
            new Received(
                List.of(),
                rank.subList(at, at + 4).stream()
                    .flatMapToInt(each -> Arrays.stream(each.lengths()))
                    .toArray()));
      }
      steps.add(joined);
    }
    assertThat(imbalance(steps, Received::elements)).isLessThan(0.02);
  }

  private static Composition any(Random random) {
    Balance balance =
        Balance.DEFAULT.quadratic(random.nextInt(2) * 0.01).accumulate(1 + random.nextInt(3));
    return switch (random.nextInt(3)) {
      case 0 -> Composition.balanced(random.nextBoolean() ? "tokens" : "length", balance);
      case 1 -> Composition.buckets("tokens").balanced(balance);
      default -> Composition.buckets("tokens").tokens(1_000).balanced(balance);
    };
  }

  private LoaderOptions anyOptions(Random random) {
    Shuffle[] shuffles = {
      Shuffle.none(), Shuffle.splits(), Shuffle.window(100 + random.nextInt(300))
    };
    return LoaderOptions.defaults()
        .batchSize(1 + random.nextInt(20))
        .seed(random.nextLong())
        .workers(random.nextInt(4))
        .shuffle(shuffles[random.nextInt(3)])
        .compose(any(random));
  }

  @Seeded(runs = 40)
  void anEpochGoesOnExactlyWithAnyNumberOfWorkers(Random random) throws IOException {
    StructuredDataset dataset =
        lists(random, 1 + random.nextInt(3), 1 + random.nextInt(3), 1 + random.nextInt(200));
    if (random.nextBoolean()) {
      dataset = dataset.where("length > " + random.nextInt(8));
    }
    LoaderOptions options = anyOptions(random);
    Rank rank = new Rank(random.nextInt(2), 2);
    List<Received> undisturbed;
    try (DataLoader loader = DataLoader.of(dataset, options.rank(rank))) {
      undisturbed = receive(loader, Long.MAX_VALUE);
    }
    int stop = random.nextInt(undisturbed.size() + 1);
    LoaderState state;
    List<Received> received;
    try (DataLoader loader = DataLoader.of(dataset, options.rank(rank))) {
      received = new ArrayList<>(receive(loader, stop));
      state = LoaderState.parse(loader.state().toJson());
    }
    if (stop == undisturbed.size()) {
      return;
    }
    LoaderOptions others = options.workers(random.nextInt(4)).rank(rank);
    try (DataLoader loader = DataLoader.of(dataset, others)) {
      loader.resume(state);
      received.addAll(receive(loader, Long.MAX_VALUE));
    }
    assertThat(received).hasSameSizeAs(undisturbed);
    for (int i = 0; i < received.size(); i++) {
      assertThat(received.get(i).ids()).isEqualTo(undisturbed.get(i).ids());
    }
  }

  @Seeded(runs = 40)
  void otherWorldsHaveWhatIsLeft(Random random) throws IOException {
    int rows = 1 + random.nextInt(150);
    StructuredDataset dataset = lists(random, 3, 2, rows);
    LoaderOptions options = anyOptions(random);
    List<Long> received = new ArrayList<>();
    List<LoaderState> states = new ArrayList<>();
    for (int world : new int[] {1 + random.nextInt(4), 1 + random.nextInt(4), 1}) {
      List<LoaderState> next = new ArrayList<>();
      long stop = world == 1 && states.size() == 1 ? Long.MAX_VALUE : random.nextInt(6);
      List<Integer> counts = new ArrayList<>();
      for (int rank = 0; rank < world; rank++) {
        try (DataLoader loader = DataLoader.of(dataset, options.rank(new Rank(rank, world)))) {
          if (!states.isEmpty()) {
            loader.resume(LoaderState.merge(states));
            if (loader.state().epoch() > 0) {
              continue;
            }
          }
          List<Received> some = receive(loader, stop);
          some.forEach(each -> received.addAll(each.ids()));
          counts.add(some.size());
          next.add(loader.state());
        }
      }
      assertThat(counts.stream().distinct().count()).isLessThan(2);
      states = next;
      if (states.isEmpty() || states.getFirst().epoch() > 0) {
        break;
      }
    }
    if (!states.isEmpty() && states.getFirst().epoch() == 0) {
      try (DataLoader loader = DataLoader.of(dataset, options.rank(Rank.SINGLE))) {
        loader.resume(LoaderState.merge(states));
        receive(loader, Long.MAX_VALUE).forEach(each -> received.addAll(each.ids()));
      }
    }
    assertThat(received.stream().sorted()).isEqualTo(all(6 * rows));
  }

  @Seeded(runs = 40)
  void costsOfRanksAreThoseThatAreDelivered(Random random) throws IOException {
    StructuredDataset dataset =
        lists(random, 1 + random.nextInt(3), 1 + random.nextInt(3), 1 + random.nextInt(200));
    if (random.nextBoolean()) {
      dataset = dataset.where("length > " + random.nextInt(8));
    }
    LoaderOptions options = anyOptions(random);
    int world = 1 + random.nextInt(4);
    long epoch = random.nextInt(3);
    Composition how = options.batching().composition().orElseThrow();
    Balance balance =
        how instanceof Balanced balanced
            ? balanced.balance()
            : ((Buckets) how).balance().orElseThrow();
    RankCosts costs;
    try (DataLoader loader = DataLoader.of(dataset, options.rank(new Rank(0, world)))) {
      loader.setEpoch(epoch);
      costs = loader.rankCosts();
      assertThat(loader.state().epoch()).isEqualTo(epoch);
    }
    assertThat(costs.ranks()).isEqualTo(world);
    for (int rank = 0; rank < world; rank++) {
      List<Received> received;
      try (DataLoader loader = DataLoader.of(dataset, options.rank(new Rank(rank, world)))) {
        loader.setEpoch(epoch);
        received = receive(loader, Long.MAX_VALUE);
      }
      assertThat(received.size() / balance.accumulate()).isGreaterThanOrEqualTo(costs.steps());
      for (int step = 0; step < costs.steps(); step++) {
        double cost = 0;
        for (int batch = 0; batch < balance.accumulate(); batch++) {
          Received each = received.get(step * balance.accumulate() + batch);
          int[] lengths = each.lengths();
          cost +=
              how instanceof Buckets
                  ? lengths.length * balance.cost(Arrays.stream(lengths).max().orElse(0))
                  : Arrays.stream(lengths).mapToDouble(balance::cost).sum();
        }
        assertThat(costs.balanced(rank, step)).isCloseTo(cost, within(1e-6 * (1 + cost)));
      }
    }
  }

  @Seeded(runs = 5)
  void balancingIsSeenInTheCostsOfRanks(Random random) throws IOException {
    StructuredDataset dataset = lists(random, 4, 2, 512);
    LoaderOptions options =
        LoaderOptions.defaults()
            .batchSize(16)
            .seed(random.nextLong())
            .rank(new Rank(0, 4))
            .compose(Composition.balanced("tokens"));
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      RankCosts costs = loader.rankCosts();

      assertThat(costs.steps()).isEqualTo(4096 / 4 / 16);
      assertThat(costs.inTurn().median()).isGreaterThan(0.15);
      assertThat(costs.balanced().median()).isLessThan(0.02);
      assertThat(costs.balanced().within2()).isGreaterThan(0.7);
      assertThat(costs.balanced().overall()).isLessThan(costs.inTurn().overall() / 4);
    }
  }

  @Test
  void whatCannotBeBalancedIsRefused() throws IOException {
    StructuredDataset dataset = lists(new Random(1), 1, 1, 10);
    LoaderOptions options = LoaderOptions.defaults().batchSize(4);

    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            DataLoader.of(dataset, options.compose(Composition.balanced("nothing"))).iterator())
        .withMessageContaining("Cannot balance by column 'nothing'");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            DataLoader.of(
                    new StructuredDataset(Mixture.of(dataset, 1).and(dataset, 1)),
                    options.compose(Composition.balanced("length")))
                .iterator())
        .withMessageContaining("Cannot compose a mixture to balanced by length");
    assertThatIllegalArgumentException().isThrownBy(() -> Balance.DEFAULT.quadratic(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> Balance.DEFAULT.quadratic(Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(() -> Balance.DEFAULT.accumulate(0));
    assertThatIllegalStateException()
        .isThrownBy(() -> DataLoader.of(dataset, options).rankCosts())
        .withMessageContaining("batches are not balanced");
    assertThatThrownBy(() ->
            receive(
                DataLoader.of(
                    dataset,
                    options.compose(
                        Composition.balanced("length", Balance.DEFAULT.quadratic(1e308)))),
                9))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("the sum of the costs");
  }

  private void assertCostIsRefused(DataType type, Object cost, String message) throws IOException {
    Schema schema =
        Schema.of(
            List.of(
                new Field("id", new DataType.Int(64, true), false), new Field("cost", type, true)));
    List<List<Object>> rows = List.of(List.of(1L, cost), Arrays.asList(2L, null));
    List<List<Object>> given = cost.equals("null") ? List.of(rows.get(1)) : List.of(rows.get(0));
    Path own = Files.createTempDirectory(folder, "costs");
    StructuredDataset dataset =
        new ParquetFiles()
            .dataset(
                own,
                new Table(schema, List.of(new Table.DataFile("part-0", List.of(given)))),
                new Random(1));
    LoaderOptions options =
        LoaderOptions.defaults().nulls(NullPolicy.mask()).compose(Composition.balanced("cost"));
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      assertThatThrownBy(loader.iterator()::next).hasMessageContaining(message);
    }
  }

  @Test
  void costsAreFiniteAndNotNegative() throws IOException {
    assertCostIsRefused(new DataType.Int(32, true), -1, "'cost' is -1, but costs are finite");
    assertCostIsRefused(new DataType.Int(32, true), "null", "'cost' is null, but costs are finite");
    DataType floating = new DataType.Floating(64);
    assertCostIsRefused(floating, Double.NaN, "'cost' is NaN, but costs are finite");
    assertCostIsRefused(floating, Double.POSITIVE_INFINITY, "'cost' is Infinity, but costs are");
  }

  @Test
  void theShortBatchOfBalancedRowsMayBeLeftOut() throws IOException {
    StructuredDataset dataset = lists(new Random(1), 1, 1, 50).columns("id", "tokens");
    LoaderOptions options =
        LoaderOptions.defaults()
            .batchSize(8)
            .dropLast(true)
            .compose(Composition.balanced("tokens"));
    List<List<Received>> ranks = ranks(dataset, options, 2);
    assertThat(ranks).allMatch(rank -> rank.size() == 3);
    assertThat(ids(ranks)).hasSize(48).doesNotHaveDuplicates();
  }

  @Test
  void aStateIsRefusedForAnotherBatchSize() throws IOException {
    StructuredDataset dataset = lists(new Random(1), 1, 1, 50);
    LoaderOptions options =
        LoaderOptions.defaults().batchSize(4).compose(Composition.balanced("length"));
    LoaderState state;
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      receive(loader, 2);
      state = loader.state();
    }
    try (DataLoader loader = DataLoader.of(dataset, options.batchSize(5))) {
      loader.resume(state);
      assertThatIllegalArgumentException()
          .isThrownBy(loader::iterator)
          .withMessageContaining("in batches of 4");
    }
  }
}
