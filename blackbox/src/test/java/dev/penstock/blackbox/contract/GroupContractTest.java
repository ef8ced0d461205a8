package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.compose.Composition;
import dev.penstock.compose.SlidingWindows;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.tck.Table;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What every format promises of groups, sliding windows and weighted draws: what comes out is what
/// plain arithmetic makes of the rows, and all else is as it is without a composition.
class GroupContractTest extends FileContract {

  static List<ContractFiles> files() {
    return ContractFiles.ofOrder();
  }

  /// A row: `key` has groups of neighbours, `weight` is 0 for a third of them.
  private record Row(long id, String key, long weight) {}

  /// Rows in file order, their groups, and how they are read.
  private record Case(StructuredDataset dataset, LoaderOptions options, List<Row> rows) {
    DataLoader loader(Rank rank, UnaryOperator<LoaderOptions> change) {
      return DataLoader.of(dataset, change.apply(options.rank(rank)));
    }

    List<List<Row>> groups() {
      List<List<Row>> groups = new ArrayList<>();
      for (Row row : rows) {
        if (groups.isEmpty() || !groups.getLast().getLast().key().equals(row.key())) {
          groups.add(new ArrayList<>());
        }
        groups.getLast().add(row);
      }
      return groups;
    }
  }

  private static Table table(Random random, int largest, boolean isSorted) {
    int[][] counts = new int[1 + random.nextInt(4)][];
    for (int file = 0; file < counts.length; file++) {
      counts[file] = random.ints(1 + random.nextInt(3), 1, 120).toArray();
    }
    Table ids = Tables.counting(counts);
    int rows = ids.rows().size();
    List<String> keys = new ArrayList<>();
    for (int group = 0; keys.size() < rows; group++) {
      String key =
          isSorted ? String.format(Locale.ROOT, "%05d", group) : "k" + group * 7919 % 10007;
      for (int left = 1 + random.nextInt(largest); left > 0; left--) {
        keys.add(key);
      }
    }
    return table(ids, keys);
  }

  private static Table table(Table ids, List<String> keys) {
    Schema schema =
        Schema.of(
            List.of(
                new Field("id", new DataType.Int(64, true), false),
                new Field("key", new DataType.Utf8(), false),
                new Field("weight", new DataType.Int(64, true), false)));
    List<Table.DataFile> files = new ArrayList<>();
    for (Table.DataFile file : ids.files()) {
      files.add(
          new Table.DataFile(
              file.name(),
              file.groups().stream()
                  .map(group ->
                      group.stream()
                          .map(row -> {
                            long id = (Long) row.getFirst();
                            return List.<Object>of(id, keys.get((int) id), id % 3);
                          })
                          .toList())
                  .toList()));
    }
    return new Table(schema, files);
  }

  private Case random(Random random, int largest) throws IOException {
    Table table = table(random, largest, random.nextBoolean());
    StructuredDataset dataset = writer().dataset(folder, table, random);
    int step = 1 + random.nextInt(5);
    boolean isFiltered = random.nextInt(3) == 0;
    List<Row> rows = new ArrayList<>();
    for (List<Object> row : table.rows()) {
      long id = ((Number) row.getFirst()).longValue();
      if (!isFiltered || id == 1 || id * id % 7 < step) {
        rows.add(new Row(id, (String) row.get(1), id % 3));
      }
    }
    if (isFiltered) {
      List<String> ids = rows.stream().map(row -> String.valueOf(row.id())).toList();
      dataset = dataset.where("id in (" + String.join(", ", ids) + ")");
    }
    LoaderOptions options =
        LoaderOptions.defaults()
            .batchSize(largest + random.nextInt(20))
            .seed(random.nextLong())
            .workers(Workers.any(random))
            .nulls(NullPolicy.mask())
            .shuffle(shuffle(random));
    return new Case(dataset, options, rows);
  }

  private static Shuffle shuffle(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> Shuffle.none();
      case 1 -> Shuffle.splits();
      default -> Shuffle.window(1 + random.nextInt(100)).interleave(1 + random.nextInt(2));
    };
  }

  /// Returns the numbers of the rows of each batch; of sliding windows those of each row.
  private static List<List<Long>> batches(DataLoader loader, long most) {
    List<List<Long>> batches = new ArrayList<>();
    EpochIterator<Batch> epoch = loader.iterator(); // left open, as if it were cut short
    while (batches.size() < most && epoch.hasNext()) {
      try (Batch batch = epoch.next()) {
        batches.add(IntStream.of(ints(batch)).asLongStream().boxed().toList());
      }
    }
    return batches;
  }

  private static int[] ints(Batch batch) {
    return Arrays.stream((long[]) batch.tensor("id").toArray())
        .mapToInt(Math::toIntExact)
        .toArray();
  }

  private static List<List<Long>> batches(DataLoader loader) {
    return batches(loader, Long.MAX_VALUE);
  }

  private static List<Long> ids(List<Row> rows) {
    return rows.stream().map(Row::id).toList();
  }

  // --- Groups

  /// Every batch has whole groups, neighbours in their order, as many as fit.
  @Seeded(runs = 18)
  void batchesHaveWholeGroups(Random random) throws IOException {
    Case each = random(random, 12);
    List<List<Long>> groups = each.groups().stream().map(GroupContractTest::ids).toList();
    try (DataLoader loader = each.loader(Rank.SINGLE, o -> o.compose(Composition.groups("key")))) {
      List<List<Long>> batches = batches(loader);
      assertThat(loader.batchesPerEpoch()).isEqualTo(batches.size());
      List<List<Long>> seen = new ArrayList<>();
      for (List<Long> batch : batches) {
        assertThat(batch.size()).isLessThanOrEqualTo(each.options().batching().size());
        assertThat(batch).isSorted();
        int first = groups.indexOf(groupFrom(groups, batch.getFirst()));
        List<Long> joined = new ArrayList<>();
        while (joined.size() < batch.size()) {
          seen.add(groups.get(first));
          joined.addAll(groups.get(first++));
        }
        assertThat(batch).isEqualTo(joined);
      }
      assertThat(seen).containsExactlyInAnyOrderElementsOf(groups);
      if (each.options().order().shuffle() instanceof Shuffle.None) {
        assertThat(seen).isEqualTo(groups);
        for (int i = 0; i + 1 < batches.size(); i++) { // one window: the next group did not fit
          int next = groupFrom(groups, batches.get(i + 1).getFirst()).size();
          assertThat(batches.get(i).size() + next).isGreaterThan(each.options().batching().size());
        }
      }
    }
  }

  private static List<Long> groupFrom(List<List<Long>> groups, long id) {
    return groups.stream().filter(group -> group.getFirst() == id).findFirst().orElseThrow();
  }

  @Test
  void keyThatComesAgainIsAnErrorThatNamesBothPlaces() throws IOException {
    List<String> keys = new ArrayList<>();
    for (int row = 0; row < 60; row++) {
      keys.add(row == 41 ? "k1" : "k" + row / 5);
    }
    Table table = table(Tables.counting(new int[] {10, 10}, new int[] {40}), keys);
    StructuredDataset dataset = writer().dataset(folder, table, new Random(1));
    for (Shuffle shuffle : List.of(Shuffle.none(), Shuffle.window(7))) {
      try (DataLoader loader =
          DataLoader.of(
              dataset,
              o -> o.rank(Rank.SINGLE).shuffle(shuffle).compose(Composition.groups("key")))) {
        assertThatThrownBy(loader::iterator)
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining("Cannot group by 'key': the key of the group from row 5 of ")
            .hasMessageContaining("part-0")
            .hasMessageContaining(" comes again at row 21 of ")
            .hasMessageContaining("part-1");
      }
    }
  }

  @Test
  void groupThatIsLargerThanABatchIsNamed() throws IOException {
    List<String> keys = new ArrayList<>();
    for (int row = 0; row < 60; row++) {
      keys.add(row < 8 ? "a" : row < 40 ? "b" : "c");
    }
    Table table = table(Tables.counting(new int[] {10, 10}, new int[] {40}), keys);
    StructuredDataset dataset = writer().dataset(folder, table, new Random(1));
    for (Shuffle shuffle : List.of(Shuffle.none(), Shuffle.window(7))) {
      try (DataLoader loader =
          DataLoader.of(
              dataset,
              o ->
                  o.rank(Rank.SINGLE)
                      .batchSize(30)
                      .shuffle(shuffle)
                      .compose(Composition.groups("key")))) {
        assertThatThrownBy(() -> batches(loader))
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining("Cannot put the group of 'key' from row 8 of ")
            .hasMessageContaining("part-0")
            .hasMessageContaining("but a batch has 30. Make batches larger with batchSize().");
      }
    }
  }

  // --- Sliding windows

  /// Returns the sliding windows of groups: the numbers of their rows.
  private static List<List<Long>> sliding(List<List<Row>> groups, SlidingWindows how) {
    List<List<Long>> windows = new ArrayList<>();
    for (List<Row> group : groups) {
      int from = 0;
      int covered = 0;
      do {
        List<Row> rows = group.subList(from, Math.min(group.size(), from + how.length()));
        windows.add(ids(rows));
        covered = from + rows.size();
        from += how.stride();
      } while (covered < group.size() && from < group.size());
    }
    return windows;
  }

  @Seeded(runs = 18)
  void slidingWindowsAreThoseOfEachGroup(Random random) throws IOException {
    Case each = random(random, 40);
    SlidingWindows how = Composition.windows("key", 1 + random.nextInt(12), 1 + random.nextInt(12));
    List<List<Long>> windows = new ArrayList<>();
    try (DataLoader loader = each.loader(Rank.SINGLE, o -> o.compose(how))) {
      for (Batch batch : loader) {
        try (batch) {
          assertThat(batch.tensor("id").shape().dims())
              .containsExactly(batch.rowCount(), how.length());
          for (int row = 0; row < batch.rowCount(); row++) {
            windows.add(window(batch, row, each));
          }
        }
      }
      assertThat(loader.batchesPerEpoch())
          .isEqualTo(Math.ceilDiv(windows.size(), each.options().batching().size()));
    }
    List<List<Long>> expected = sliding(each.groups(), how);
    if (each.options().order().shuffle() instanceof Shuffle.None) {
      assertThat(windows).isEqualTo(expected);
    } else {
      assertThat(windows).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private static List<Long> window(Batch batch, int row, Case each) {
    List<Long> ids = Arrays.stream((long[]) batch.ragged("id").row(row).toArray()).boxed().toList();
    int count = batch.tensor("key.rows").getInt(row);
    assertThat(ids.subList(count, ids.size())).allMatch(id -> id == 0);
    assertThat(Arrays.stream((long[]) batch.ragged("weight").row(row).toArray()).limit(count))
        .isEqualTo(ids.stream().limit(count).map(id -> id % 3).toList());
    String key =
        each.rows().stream().filter(r -> r.id() == ids.getFirst()).findFirst().orElseThrow().key();
    assertThat(batch.list("key").get(row)).isEqualTo(key);
    return ids.subList(0, count);
  }

  // --- Weighted draws

  /// Each row comes about as often as its weight says, and rows without weight do not.
  @Seeded(runs = 8)
  void drawsAreInProportionToWeights(Random random) throws IOException {
    Case each = random(random, 12);
    long sum = each.rows().stream().mapToLong(Row::weight).sum();
    if (sum == 0) {
      return;
    }
    int draws = 20_000;
    UnaryOperator<LoaderOptions> change =
        o -> o.batchSize(500).compose(Composition.draws("weight").numSamples(draws));
    try (DataLoader loader = each.loader(Rank.SINGLE, change)) {
      List<Long> drawn = batches(loader).stream().flatMap(List::stream).toList();
      assertThat(drawn).hasSize(draws);
      assertThat(loader.batchesPerEpoch()).isEqualTo(draws / 500);
      long[] counts = new long[1000_000];
      drawn.forEach(id -> counts[id.intValue()]++);
      for (Row row : each.rows()) {
        double expected = (double) draws * row.weight() / sum;
        assertThat((double) counts[(int) row.id()])
            .isCloseTo(expected, within(6 * Math.sqrt(expected) + 1e-9));
      }
      assertThat(batches(loader).stream().flatMap(List::stream).toList()).isNotEqualTo(drawn);
    }
  }

  @Test
  void thereAreAsManyDrawsAsRowsByDefault() throws IOException {
    Table table = table(new Random(4), 9, true);
    StructuredDataset dataset = writer().dataset(folder, table, new Random(4));
    try (DataLoader loader =
        DataLoader.of(dataset, o -> o.rank(Rank.SINGLE).compose(Composition.draws("weight")))) {
      assertThat(batches(loader).stream().mapToInt(List::size).sum())
          .isEqualTo(table.rows().size());
    }
  }

  @Test
  void wrongWeightsAreNamed() throws IOException {
    StructuredDataset dataset =
        writer().dataset(folder, table(new Random(4), 9, true), new Random(4));
    try (DataLoader loader =
        DataLoader.of(
            dataset.where("weight = 0"),
            o -> o.rank(Rank.SINGLE).compose(Composition.draws("weight")))) {
      assertThatThrownBy(loader::iterator)
          .hasMessage("Cannot draw rows: all weights in 'weight' are 0.");
    }
    try (DataLoader loader =
        DataLoader.of(dataset, o -> o.rank(Rank.SINGLE).compose(Composition.draws("key")))) {
      assertThatIllegalArgumentException()
          .isThrownBy(loader::iterator)
          .withMessageContaining("Choose a column of numbers");
    }
  }

  @Test
  void nothingIsMadeOfNoRows() throws IOException {
    StructuredDataset dataset =
        writer().dataset(folder, table(new Random(4), 9, true), new Random(4)).where("id < 0");
    for (Composition how : List.of(Composition.groups("key"), Composition.windows("key", 2, 1))) {
      try (DataLoader loader = DataLoader.of(dataset, o -> o.rank(Rank.SINGLE).compose(how))) {
        assertThat(batches(loader)).isEmpty();
        assertThat(loader.batchesPerEpoch()).isZero();
      }
    }
    for (Composition how :
        List.of(Composition.draws("weight"), Composition.draws("weight").numSamples(9))) {
      try (DataLoader loader = DataLoader.of(dataset, o -> o.rank(Rank.SINGLE).compose(how))) {
        assertThatThrownBy(loader::iterator)
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageStartingWith("Cannot draw rows: there is none to draw from.");
        assertThatThrownBy(loader::batchesPerEpoch).hasMessageStartingWith("Cannot draw rows:");
      }
    }
  }

  // --- Order, ranks and resume

  private static Composition composition(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> Composition.groups("key");
      case 1 -> Composition.windows("key", 1 + random.nextInt(9), 1 + random.nextInt(9));
      default -> Composition.draws("weight").numSamples(1 + random.nextInt(600));
    };
  }

  @Seeded(runs = 14)
  void orderDependsNeitherOnWorkersNorOnMemory(Random random) throws IOException {
    Case each = random(random, 12);
    Composition how = composition(random);
    List<List<List<Long>>> all = new ArrayList<>();
    for (int workers : Workers.COUNTS) {
      try (DataLoader loader =
          each.loader(
              Rank.SINGLE,
              o ->
                  o.compose(how)
                      .workers(workers)
                      .memory(random.nextBoolean() ? "4MiB" : "64MiB"))) {
        loader.setEpoch(1);
        all.add(batches(loader));
      }
    }
    assertThat(all.stream().distinct()).hasSize(1);
  }

  @Seeded(runs = 18)
  void ranksTogetherHaveTheBatchesOfOne(Random random) throws IOException {
    Case each = random(random, 12);
    Composition how = composition(random);
    UnaryOperator<LoaderOptions> change = o -> o.compose(how).workers(Workers.any(random));
    TogetherRanks.assertHaveTheRowsOfOne(
        random, rank -> each.loader(rank, change), GroupContractTest::batches);
  }

  @Seeded(runs = 18)
  void runThatStopsAfterAnyBatchGoesOnInAnyWorld(Random random) throws IOException {
    Case each = random(random, 12);
    Composition how = composition(random);
    UnaryOperator<LoaderOptions> change = o -> o.compose(how).workers(Workers.any(random));
    List<List<Long>> whole;
    try (DataLoader loader = each.loader(Rank.SINGLE, change)) {
      whole = batches(loader);
    }
    int stop = random.nextInt(whole.size() + 1);
    LoaderState state;
    try (DataLoader loader = each.loader(Rank.SINGLE, change)) {
      batches(loader, stop);
      state = LoaderState.parse(loader.state().toJson());
      assertThat(state.toJson().length()).isLessThan(1024);
    }
    if (state.epoch() > 0) {
      assertThat(stop).isEqualTo(whole.size());
      return;
    }
    int world = 1 + random.nextInt(3);
    List<Long> rest = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      try (DataLoader loader = each.loader(new Rank(rank, world), change)) {
        loader.resume(state);
        batches(loader).forEach(rest::addAll);
      }
    }
    assertThat(rest)
        .isEqualTo(whole.subList(stop, whole.size()).stream().flatMap(List::stream).toList());
  }
}
