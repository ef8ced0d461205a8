package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.CollatedLoader;
import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.blackbox.files.Delays;
import dev.penstock.blackbox.files.FaultStorage;
import dev.penstock.blackbox.files.NextIds;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.cli.Main;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Rank;
import dev.penstock.split.RankEnd;
import dev.penstock.split.Shuffle;
import dev.penstock.tck.Table;
import dev.penstock.testing.Ring;
import dev.penstock.testing.Seeded;
import dev.penstock.transform.Transform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What every format promises of ranks and of resuming: all ranks together, and all parts of a
/// stopped run together, are the epoch.
class OneOrderContractTest extends FileContract {
  private static final int[] MANY_WORKERS =
      Ring.NIGHT.isRunning() ? new int[] {0, 1, 2, 3, 5, 8, 16} : new int[] {0, 1, 3, 8};
  private static final String FILTER = "id < 20 or id >= 35 and id != 50";
  private static final Pattern ORDER_DIGEST = Pattern.compile("\"orderDigest\":\"(\\w+)\"");

  static List<ContractFiles> files() {
    return ContractFiles.ofOrderAndStores();
  }

  /// Drops every third row of a block and gives every fifth twice, with the block's rows reversed.
  private static final Transform UNEVEN =
      (block, _) -> {
        List<Integer> rows = new ArrayList<>();
        for (int row = block.rowCount() - 1; row >= 0; row--) {
          if (row % 3 != 0) {
            rows.add(row);
          }
          if (row % 5 == 0) {
            rows.add(row);
          }
        }
        return block.take(rows.stream().mapToInt(Integer::intValue).toArray());
      };

  /// A dataset, and the options that decide on its rows and their order.
  private record Case(StructuredDataset dataset, LoaderOptions options, boolean isExact) {
    DataLoader loader(UnaryOperator<LoaderOptions> change) {
      return DataLoader.of(dataset, change.apply(options));
    }
  }

  private StructuredDataset counting(Random random) throws IOException {
    return writer().dataset(folder, table(1 + random.nextInt(3), random), random);
  }

  /// Makes files of a few row groups each, whose rows are counted.
  private static Table table(int count, Random random) {
    int[][] files = new int[count][];
    for (int file = 0; file < files.length; file++) {
      files[file] = random.ints(1 + random.nextInt(4), 0, 60).toArray();
    }
    return Tables.counting(files);
  }

  private Case random(Random random) throws IOException {
    StructuredDataset dataset = counting(random);
    LoaderOptions options =
        LoaderOptions.defaults()
            .nulls(NullPolicy.mask())
            .batchSize(1 + random.nextInt(20))
            .seed(random.nextLong())
            .shuffle(shuffle(random));
    if (random.nextBoolean()) {
      dataset = dataset.splitRows(1 + random.nextInt(30));
    }
    int kind = random.nextInt(3);
    if (writer().isCached() && kind != 2 && random.nextBoolean()) {
      options = options.shuffle(GlobalShuffles.any(random));
    }
    if (kind == 1) {
      dataset = dataset.where(FILTER);
    } else if (kind == 2) {
      options = options.transform(UNEVEN, 1 + random.nextInt(20));
    }
    if (kind != 2 && random.nextInt(3) == 0) {
      options = options.transform(new NextIds(), 1 + random.nextInt(20));
    }
    return new Case(dataset, options, kind == 0);
  }

  private static Shuffle shuffle(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> Shuffle.none();
      case 1 -> Shuffle.splits();
      default -> window(random);
    };
  }

  private static Shuffle window(Random random) {
    return Shuffle.window(1 + random.nextInt(50)).interleave(1 + random.nextInt(4));
  }

  // --- Workers

  /// Storage, decoding, transform and collate hold threads up at random.
  @Seeded(runs = 1)
  void delaysMoveNoRowWhateverTheNumberOfWorkers(Random random) throws IOException {
    Table table = table(2 + random.nextInt(6), random);
    FaultStorage.Site site = FaultStorage.over(writer().write(folder, table, random));
    StructuredDataset files =
        writer().open(site.location(), table).splitRows(10 + random.nextInt(90));
    for (Shuffle shuffle : List.of(Shuffle.none(), Shuffle.splits(), window(random))) {
      for (int blockRows : new int[] {0, 1 + random.nextInt(20)}) {
        StructuredDataset dataset = random.nextBoolean() ? files : files.where(FILTER);
        LoaderOptions options =
            LoaderOptions.defaults()
                .batchSize(1 + random.nextInt(20))
                .prefetchFactor(1 + random.nextInt(3))
                .seed(random.nextLong())
                .shuffle(shuffle);
        List<List<Integer>> first = null;
        for (int workers : MANY_WORKERS) {
          Delays delays = new Delays(random.nextLong());
          site.onOpen(delays);
          site.onRead(delays);
          site.onDecode(delays);
          LoaderOptions delayed =
              blockRows == 0
                  ? options
                  : options.transform(
                      (block, info) -> {
                        delays.hold();
                        return UNEVEN.apply(block, info);
                      },
                      blockRows);
          try (DataLoader loader = DataLoader.of(dataset, _ -> delayed.workers(workers))) {
            List<List<Integer>> epochs = List.of(bits(loader, delays), bits(loader, delays));
            first = first == null ? epochs : first;
            assertThat(epochs).as("%s, %s workers", shuffle, workers).isEqualTo(first);
          }
        }
      }
    }
  }

  /// Receives the next epoch through a collate function, each of them held up at random.
  private static List<Integer> bits(DataLoader loader, Delays delays) {
    List<Integer> bits = new ArrayList<>();
    CollatedLoader<Batch> collated =
        loader.collate(batch -> {
          delays.hold();
          return batch;
        });
    for (Batch each : collated) {
      try (Batch batch = each) {
        delays.hold();
        bits.add(Delivery.bits(batch));
      }
    }
    return bits;
  }

  @Seeded(runs = 2)
  void orderDigestIsOneWhateverTheNumberOfWorkers(Random random) throws IOException {
    Table table = table(2 + random.nextInt(6), random);
    FaultStorage.Site site = FaultStorage.over(writer().write(folder, table, random));
    for (String shuffle : List.of("none", "splits", "window:" + (1 + random.nextInt(50)))) {
      String filter = random.nextBoolean() ? "id >= 0" : FILTER;
      String seed = Long.toString(random.nextLong());
      Set<String> digests = new HashSet<>();
      for (int workers : MANY_WORKERS) {
        Delays delays = new Delays(random.nextLong());
        site.onRead(delays);
        site.onDecode(delays);
        digests.add(
            orderDigest(
                site.location(),
                "--where=" + filter,
                "--shuffle=" + shuffle,
                "--seed=" + seed,
                "--workers=" + workers,
                "--batch-size=" + (1 + random.nextInt(20))));
      }
      assertThat(digests).as("%s, %s, seed %s", shuffle, filter, seed).hasSize(1);
    }
  }

  private static String orderDigest(String location, String... options) {
    List<String> command = new ArrayList<>(List.of("load", "--json", "--progress=none", location));
    command.addAll(List.of(options));
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    assertThat(Main.run(command.toArray(new String[0]), out, System.err)).isZero();
    Matcher digest = ORDER_DIGEST.matcher(printed.toString(StandardCharsets.UTF_8));
    assertThat(digest.find()).isTrue();
    return digest.group(1);
  }

  // --- Ranks

  @Seeded(runs = 60)
  void ranksTogetherAreTheEpoch(Random random) throws IOException {
    Case each = random(random);
    int world = 1 + random.nextInt(5);
    // Behind a filter the rows that match are counted for several ranks.
    boolean isExact = each.isExact() || (world > 1 && each.options().transformation().keepsRows());
    long epoch = random.nextInt(3);
    boolean dropLast = random.nextBoolean();
    RankEnd end = List.of(RankEnd.values()).get(random.nextInt(3));
    List<Long> all;
    try (DataLoader loader = each.loader(o -> o)) {
      loader.setEpoch(epoch);
      all = Delivery.ofEpoch(loader).ids();
    }
    List<List<Integer>> batches = new ArrayList<>();
    List<Long> together = new ArrayList<>();
    long promised = -1;
    for (int rank = 0; rank < world; rank++) {
      Rank one = new Rank(rank, world);
      try (DataLoader loader =
          each.loader(
              o -> o.rank(one).rankEnd(end).dropLast(dropLast).workers(Workers.any(random)))) {
        loader.setEpoch(epoch);
        Delivery delivery = Delivery.ofEpoch(loader);
        batches.add(delivery.batchRows());
        together.addAll(delivery.ids());
        if (isExact) {
          assertThat(promised).isIn(-1L, loader.batchesPerEpoch());
          promised = loader.batchesPerEpoch();
          assertThat(delivery.batchRows()).hasSize((int) promised);
        }
      }
    }
    int batchSize = each.options().batching().size();
    for (List<Integer> sizes : batches) {
      for (int i = 0; i < sizes.size() - (dropLast ? 0 : 1); i++) {
        boolean isLastFull = i == sizes.size() - 2 && sizes.getLast() == 0;
        assertThat(sizes.get(i)).as("%s", sizes).isEqualTo(batchSize);
        assertThat(isLastFull && dropLast).isFalse();
      }
    }
    if (!isExact || dropLast) {
      // Where blocks are cut between ranks, and what is dropped, is not said.
      if (!dropLast && end == RankEnd.EXACT && each.options().transformation().keepsRows()) {
        assertThat(together).containsExactlyInAnyOrderElementsOf(all);
      }
      return;
    }
    if (each.options().order().shuffle()
        instanceof Shuffle.Window) { // ranks have windows of their own
      if (end == RankEnd.EXACT) {
        assertThat(together).containsExactlyInAnyOrderElementsOf(all);
      }
      return;
    }
    switch (end) {
      case EXACT -> assertThat(together).isEqualTo(all);
      case PAD -> {
        assertThat(together.subList(0, all.size())).isEqualTo(all);
        assertThat(together.size()).isBetween(all.size(), all.size() + world - 1);
        int more = together.size() - all.size();
        for (int i = 0; i < more; i++) {
          assertThat(together.get(all.size() + i)).isEqualTo(all.get(i % all.size()));
        }
      }
      case DROP -> {
        assertThat(all.size() - together.size()).isBetween(0, world - 1);
        assertThat(together).isEqualTo(all.subList(0, together.size()));
      }
    }
  }

  @Test
  void rankWithoutARowOfItsOwnEndsWithAnEmptyBatch() throws IOException {
    Table table = Tables.counting(new int[] {9});
    StructuredDataset dataset = writer().dataset(folder, table, new Random(1));
    for (int rank = 0; rank < 2; rank++) {
      Rank one = new Rank(rank, 2);
      try (DataLoader loader = DataLoader.of(dataset, o -> o.batchSize(2).rank(one))) {
        assertThat(loader.batchesPerEpoch()).isEqualTo(3);
        assertThat(Delivery.ofEpoch(loader).batchRows())
            .isEqualTo(rank == 0 ? List.of(2, 2, 1) : List.of(2, 2, 0));
      }
    }
  }

  /// Rows that came again to ranks of a larger world are more than there are in the files.
  @Test
  void restOfPaddedRanksIsInBatchesOfTheSizeAskedFor() throws IOException {
    StructuredDataset dataset =
        writer().dataset(folder, Tables.counting(new int[] {3}), new Random(1));
    LoaderState padded;
    try (DataLoader loader =
        DataLoader.of(dataset, o -> o.rank(new Rank(0, 8)).rankEnd(RankEnd.PAD))) {
      padded = loader.state();
    }
    try (DataLoader loader = DataLoader.of(dataset, o -> o.batchSize(5))) {
      assertThat(Delivery.ofEpoch(loader).batchRows()).containsExactly(3);
      loader.resume(padded);
      assertThat(Delivery.ofEpoch(loader).batchRows()).containsExactly(5, 3);
      assertThat(Delivery.ofEpoch(loader).batchRows()).containsExactly(3);
    }
  }

  @Test
  void planIsTheRanks() throws IOException {
    Table table = Tables.counting(new int[] {30, 30}, new int[] {40});
    StructuredDataset dataset = writer().dataset(folder, table, new Random(1));
    long rows = 0;
    for (int rank = 0; rank < 3; rank++) {
      rows += dataset.plan(LoaderOptions.defaults().rank(new Rank(rank, 3)), 0).rows();
    }
    assertThat(rows).isEqualTo(100);
    assertThat(dataset.plan(LoaderOptions.defaults().rank(new Rank(1, 3)), 0).sequence().toString())
        .contains("rows [34, 60)")
        .contains("rows [0, 7)");
  }

  @Seeded(runs = 40)
  void promisedStepsAreDeliveredOrAnError(Random random) throws IOException {
    Case each = random(random);
    int world = 1 + random.nextInt(3);
    long steps = random.nextLong(1, 7);
    boolean dropLast = random.nextBoolean();
    for (int rank = 0; rank < world; rank++) {
      Rank one = new Rank(rank, world);
      List<Integer> all;
      // Where steps are promised, nothing is counted.
      try (DataLoader loader = each.loader(o -> o.rank(one).countMatches(false))) {
        all = Delivery.ofEpoch(loader).batchRows();
      }
      int least = dropLast ? each.options().batching().size() : 1;
      int there = (int) all.stream().filter(rows -> rows >= least).count();
      UnaryOperator<LoaderOptions> promise =
          o -> o.rank(one).stepsPerEpoch(steps).dropLast(dropLast);
      try (DataLoader loader = each.loader(o -> promise.apply(o).workers(Workers.any(random)))) {
        assertThat(loader.batchesPerEpoch()).isEqualTo(steps);
        EpochIterator<Batch> epoch = loader.iterator();
        for (int step = 0; step < Math.min(steps, there); step++) {
          assertThat(epoch.hasNext()).isTrue();
          try (Batch batch = epoch.next()) {
            assertThat(batch.rowCount()).isEqualTo(all.get(step));
          }
          if (step == 1 && steps > 2) {
            LoaderState state = loader.state();
            try (DataLoader other = each.loader(promise)) {
              other.resume(state);
              if (steps <= there) {
                assertThat(bits(other, Long.MAX_VALUE)).hasSize((int) steps - 2);
              }
            }
          }
        }
        if (steps <= there) {
          assertThat(epoch.hasNext()).isFalse();
          assertThat(loader.state().epoch()).isOne();
        } else {
          assertThat(epoch.hasNext()).isTrue();
          assertThatThrownBy(epoch::next)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("Cannot deliver " + steps + " batches")
              .hasMessageContaining("rows for " + there);
        }
      }
    }
  }

  // --- Windows

  @Seeded(runs = 40)
  void windowHoldsItsRowsOfTheSequenceInRandomOrder(Random random) throws IOException {
    StructuredDataset dataset = counting(random);
    Shuffle.Window window =
        Shuffle.window(1 + random.nextInt(60)).interleave(1 + random.nextInt(5));
    long seed = random.nextLong();
    UnaryOperator<LoaderOptions> options = o -> o.shuffle(window).seed(seed).batchSize(7);
    List<Long> sequence = new ArrayList<>();
    Map<String, Long> firstIds = new HashMap<>();
    long id = 0;
    for (DataFileInfo file : dataset.files()) {
      firstIds.put(file.location().text(), id);
      id += file.rows();
    }
    for (FileSplit split : dataset.plan(options.apply(LoaderOptions.defaults()), 3).sequence()) {
      long first = firstIds.get(split.file().location().text());
      for (long row = split.firstRow(); row < split.endRow(); row++) {
        sequence.add(first + row);
      }
    }
    List<Long> delivered;
    try (DataLoader loader = DataLoader.of(dataset, o -> options.apply(o).workers(2))) {
      loader.setEpoch(3);
      delivered = Delivery.ofEpoch(loader).ids();
    }
    for (int from = 0; from < sequence.size(); from += window.rows()) {
      int to = Math.min(from + window.rows(), sequence.size());
      assertThat(delivered.subList(from, to))
          .as("window of rows [%s, %s)", from, to)
          .containsExactlyInAnyOrderElementsOf(sequence.subList(from, to));
    }
    for (int workers : Workers.COUNTS) {
      try (DataLoader loader =
          DataLoader.of(dataset, o -> options.apply(o).workers(workers).batchSize(11))) {
        loader.setEpoch(3);
        assertThat(Delivery.ofEpoch(loader).ids()).isEqualTo(delivered);
        List<Long> other = Delivery.ofEpoch(loader).ids();
        assertThat(other).containsExactlyInAnyOrderElementsOf(delivered);
        if (window.rows() > 20 && delivered.size() > 20) {
          assertThat(other).as("another epoch").isNotEqualTo(delivered);
        }
      }
    }
  }

  @Test
  void windowMixesRowsOfSeveralFiles() throws IOException {
    int[][] files = new int[8][];
    Arrays.fill(files, new int[] {50, 50});
    StructuredDataset dataset = writer().dataset(folder, Tables.counting(files), new Random(1));
    Shuffle window = Shuffle.window(200);
    try (DataLoader loader =
        DataLoader.of(dataset.splitRows(100), o -> o.shuffle(window).batchSize(50))) {
      for (List<List<Object>> batch : Delivery.ofEpoch(loader).batches()) {
        // Of four files that take turns, none is missing in 50 rows but by a chance of 1 in 10^6.
        assertThat(batch.stream().map(row -> (Long) row.getFirst() / 100).distinct()).hasSize(4);
      }
    }
  }

  // --- Resume

  /// Receives some batches of the next epoch.
  private static List<Integer> bits(DataLoader loader, long most) {
    List<Integer> bits = new ArrayList<>();
    EpochIterator<Batch> epoch =
        loader.iterator(); // left open: the state is that of a run cut short
    while (bits.size() < most && epoch.hasNext()) {
      try (Batch batch = epoch.next()) {
        bits.add(Delivery.bits(batch));
      }
    }
    return bits;
  }

  @Seeded(runs = 40)
  void stoppedRunGoesOnWithTheNextBatch(Random random) throws IOException {
    Case each = random(random);
    boolean dropLast = random.nextBoolean();
    long epoch = random.nextInt(3);
    UnaryOperator<LoaderOptions> ending = o -> o.dropLast(dropLast);
    List<Integer> whole;
    List<Integer> after;
    try (DataLoader loader = each.loader(ending)) {
      loader.setEpoch(epoch);
      whole = bits(loader, Long.MAX_VALUE);
      after = bits(loader, Long.MAX_VALUE);
    }
    for (int stop = 0; stop <= whole.size(); stop++) {
      String state;
      List<Integer> parts;
      try (DataLoader loader =
          each.loader(o -> ending.apply(o).workers(Workers.any(random)).prefetchFactor(3))) {
        loader.setEpoch(epoch);
        parts = bits(loader, stop);
        state = loader.state().toJson();
        assertThat(loader.state().batches()).isIn((long) stop, 0L);
      }
      assertThat(state.length()).isLessThan(1024);
      try (DataLoader loader = each.loader(o -> ending.apply(o).workers(Workers.any(random)))) {
        LoaderState parsed = LoaderState.parse(state);
        assertThat(parsed.toJson()).isEqualTo(state);
        loader.resume(parsed);
        assertThat(loader.state()).isEqualTo(parsed);
        boolean isNext = parsed.epoch() == epoch + 1;
        if (isNext) {
          assertThat(stop).isEqualTo(whole.size());
          assertThat(bits(loader, Long.MAX_VALUE)).isEqualTo(after);
        } else {
          parts.addAll(bits(loader, Long.MAX_VALUE));
          assertThat(parts).as("stopped after %s", stop).isEqualTo(whole);
          assertThat(bits(loader, Long.MAX_VALUE)).as("the epoch after").isEqualTo(after);
        }
      }
    }
  }

  @Test
  void endThatOnlyReadingTellsIsKnownOnceItWasAskedFor() throws IOException {
    Table files = Tables.counting(new int[] {30, 30});
    StructuredDataset dataset = writer().dataset(folder, files, new Random(1));
    LoaderOptions options = LoaderOptions.defaults().batchSize(11).rank(Rank.SINGLE);
    assertEnd(new Case(dataset, options.batchSize(10), true), 6);
    assertEnd(new Case(dataset.where(FILTER), options, false), 4);
    assertEnd(new Case(dataset.where(FILTER), options.stepsPerEpoch(3), true), 3);
    assertEnd(new Case(dataset.where(FILTER), options.rank(new Rank(0, 2)), true), 2);
    assertEnd(new Case(dataset, options.batchSize(10).transform((block, _) -> block), false), 6);
  }

  private static void assertEnd(Case each, int batches) {
    for (int workers : Workers.COUNTS) {
      try (DataLoader loader = each.loader(o -> o.workers(workers))) {
        EpochIterator<Batch> epoch = loader.iterator();
        for (int batch = 0; batch < batches; batch++) {
          epoch.next().close();
        }
        LoaderState behindLast = loader.state();
        assertThat(behindLast.epoch()).as("%s workers", workers).isEqualTo(each.isExact() ? 1 : 0);
        assertThat(behindLast.batches()).isEqualTo(each.isExact() ? 0 : batches);
        assertThat(epoch.hasNext()).isFalse();
        LoaderState next = loader.state();
        assertThat(next.epoch()).isOne();
        assertThat(next.batches()).isZero();
        loader.resume(behindLast);
        assertThat(bits(loader, Long.MAX_VALUE)).hasSize(each.isExact() ? batches : 0);
        assertThat(loader.state().epoch()).isEqualTo(each.isExact() ? 2 : 1);
      }
    }
  }

  @Seeded(runs = 25)
  void runThatStopsAgainAndAgainIsTheSame(Random random) throws IOException {
    Case each = random(random);
    List<Integer> whole;
    try (DataLoader loader = each.loader(o -> o)) {
      whole = bits(loader, Long.MAX_VALUE);
    }
    List<Integer> parts = new ArrayList<>();
    LoaderState state = null;
    while (state == null || state.epoch() == 0) {
      try (DataLoader loader = each.loader(o -> o.workers(Workers.any(random)))) {
        if (state != null) {
          loader.resume(state);
        }
        parts.addAll(bits(loader, 1 + random.nextInt(3)));
        if (parts.size() == whole.size()) {
          break;
        }
        state = LoaderState.parse(loader.state().toJson());
        assertThat(state.batches()).isEqualTo(parts.size());
      }
    }
    assertThat(parts).isEqualTo(whole);
  }

  @Seeded(runs = 60)
  void otherWorldsDeliverTheRestOfTheEpochOnce(Random random) throws IOException {
    Case each = random(random);
    if (!each.options().transformation().keepsRows()) {
      each = new Case(each.dataset(), each.options().transform(UNEVEN, 1), false);
    }
    List<Long> all;
    try (DataLoader loader = each.loader(o -> o)) {
      all = Delivery.ofEpoch(loader).ids();
    }
    List<Long> delivered = new ArrayList<>();
    RankEnd end = random.nextInt(3) == 0 ? RankEnd.PAD : RankEnd.EXACT;
    int[] worlds = IntStream.range(0, 4).map(_ -> 1 + random.nextInt(4)).toArray();
    LoaderState state = null;
    for (int stage = 0; stage < worlds.length; stage++) {
      int world = worlds[stage];
      boolean isLast = stage == worlds.length - 1;
      int steps = random.nextInt(4);
      List<LoaderState> states = new ArrayList<>();
      for (int rank = 0; rank < world; rank++) {
        Rank one = new Rank(rank, world);
        try (DataLoader loader =
            each.loader(o -> o.rank(one).rankEnd(end).workers(Workers.any(random)))) {
          if (state != null) {
            loader.resume(state);
          }
          EpochIterator<Batch> epoch = loader.iterator();
          for (int step = 0; (isLast || step < steps) && epoch.hasNext(); step++) {
            try (Batch batch = epoch.next()) {
              for (int row = 0; row < batch.rowCount(); row++) {
                delivered.add(batch.tensor("id").getLong(row));
              }
            }
          }
          states.add(loader.state());
        }
      }
      if (!isLast && states.stream().anyMatch(s -> s.epoch() > 0 || s.batches() != steps(states))) {
        return; // A rank is at its end already: there is no common step.
      }
      boolean isOneEnough = each.options().transformation().keepsRows();
      state =
          isOneEnough && random.nextBoolean()
              ? states.get(random.nextInt(world))
              : LoaderState.merge(states);
      state = LoaderState.parse(state.toJson());
    }
    if (end == RankEnd.PAD) { // each world may deliver some rows again
      assertThat(new HashSet<>(delivered)).isEqualTo(new HashSet<>(all));
      return;
    }
    assertThat(delivered).hasSameSizeAs(all);
    assertThat(new HashSet<>(delivered)).isEqualTo(new HashSet<>(all));
    assertThat(delivered).containsExactlyInAnyOrderElementsOf(all);
  }

  /// As when ranks save their states at once after they resumed, before any batch.
  @Test
  void statesOfRanksThatResumedAreMergedAgain() throws IOException {
    Table files = Tables.counting(new int[] {30, 30});
    StructuredDataset dataset = writer().dataset(folder, files, new Random(1));
    UnaryOperator<LoaderOptions> options = o -> o.batchSize(10).transform((block, _) -> block);
    List<LoaderState> states = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      Rank one = new Rank(rank, 2);
      try (DataLoader loader = DataLoader.of(dataset, o -> options.apply(o).rank(one))) {
        bits(loader, 1);
        states.add(loader.state());
      }
    }
    LoaderState merged = LoaderState.merge(states);
    List<LoaderState> again = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      Rank one = new Rank(rank, 3);
      try (DataLoader loader = DataLoader.of(dataset, o -> options.apply(o).rank(one))) {
        loader.resume(merged);
        again.add(LoaderState.parse(loader.state().toJson()));
      }
    }
    assertThat(LoaderState.merge(again)).isEqualTo(merged);
  }

  /// As in a run that is stopped again before its first batch.
  @Test
  void statesOfRanksThatResumedWithThatOfOneAreMerged() throws IOException {
    Table files = Tables.counting(new int[] {30, 30});
    StructuredDataset dataset = writer().dataset(folder, files, new Random(1));
    LoaderState state;
    try (DataLoader loader = DataLoader.of(dataset, o -> o.batchSize(10).rank(new Rank(0, 2)))) {
      bits(loader, 1);
      state = loader.state();
    }
    for (int world = 2; world <= 3; world++) {
      List<LoaderState> again = new ArrayList<>();
      for (int rank = 0; rank < world; rank++) {
        Rank one = new Rank(rank, world);
        try (DataLoader loader = DataLoader.of(dataset, o -> o.rank(one))) {
          loader.resume(state);
          again.add(loader.state());
        }
      }
      LoaderState merged = LoaderState.merge(again);
      try (DataLoader loader = DataLoader.of(dataset, o -> o.rank(Rank.SINGLE))) {
        loader.resume(merged);
        assertThat(Delivery.ofEpoch(loader).ids()).hasSize(40).doesNotHaveDuplicates();
      }
    }
  }

  /// Behind a transform the state of one rank says nothing of another.
  @Test
  void statesOfOneRankDoNotStandForAnother() throws IOException {
    Table files = Tables.counting(new int[] {30, 30});
    StructuredDataset dataset = writer().dataset(folder, files, new Random(1));
    UnaryOperator<LoaderOptions> options = o -> o.batchSize(10).transform((block, _) -> block);
    LoaderState state;
    try (DataLoader loader = DataLoader.of(dataset, o -> options.apply(o).rank(new Rank(0, 2)))) {
      bits(loader, 1);
      state = loader.state();
    }
    LoaderState merged = LoaderState.merge(List.of(state, state));
    for (Rank rank : List.of(new Rank(1, 2), Rank.SINGLE)) {
      try (DataLoader loader = DataLoader.of(dataset, o -> options.apply(o).rank(rank))) {
        loader.resume(merged);
        assertThatThrownBy(loader::iterator)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("(LoaderState.merge)");
      }
    }
  }

  /// Where all ranks stopped at the same row, one's state is as good as the merged one.
  @Test
  void statesAreMergedWhereTheirPastIsTheSame() throws IOException {
    Table files = Tables.counting(new int[] {30, 30});
    StructuredDataset dataset = writer().dataset(folder, files, new Random(1));
    List<LoaderState> first = new ArrayList<>();
    List<LoaderState> second = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      Rank one = new Rank(rank, 2);
      try (DataLoader loader = DataLoader.of(dataset, o -> o.batchSize(10).rank(one))) {
        bits(loader, 1);
        first.add(loader.state());
        loader.resume(first.get(rank));
        bits(loader, 1);
        second.add(loader.state());
      }
    }
    List<LoaderState> mixed = new ArrayList<>();
    List<LoaderState> differing = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      Rank one = new Rank(rank, 3);
      try (DataLoader loader = DataLoader.of(dataset, o -> o.batchSize(2).rank(one))) {
        loader.resume(rank < 2 ? first.get(rank) : LoaderState.merge(first));
        bits(loader, 1);
        mixed.add(loader.state());
        loader.resume(rank < 2 ? first.get(rank) : second.getFirst());
        bits(loader, 1);
        differing.add(loader.state());
      }
    }
    assertThat(LoaderState.merge(mixed).batches()).isEqualTo(mixed.getFirst().batches());
    assertThatThrownBy(() -> LoaderState.merge(differing))
        .hasMessage(
            "Cannot merge states: one went on from 2 ranks after rows [10], another from 2 ranks"
                + " after rows [20]. Take the states of ranks that resumed with the same one.");
  }

  private static long steps(List<LoaderState> states) {
    return states.getFirst().batches();
  }

  @Test
  void stateOfAnotherRunIsRefusedWithBothSides() throws IOException {
    Table files = Tables.counting(new int[] {30, 30});
    StructuredDataset dataset = writer().dataset(folder.resolve("data"), files, new Random(1));
    LoaderOptions options = LoaderOptions.defaults().batchSize(10).seed(7);
    LoaderState state;
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      bits(loader, 2);
      state = loader.state();
    }
    assertRefused(state, dataset, options.seed(8), "seed is '8' here but '7'");
    assertRefused(
        state, dataset, options.shuffle(Shuffle.splits()), "shuffle is 'splits' here but 'none'");
    assertRefused(state, dataset.where("id > 3"), options, "filter is 'id > 3' here but 'none'");
    LoaderOptions permuted = options.shuffle(Shuffle.splits());
    try (DataLoader loader = DataLoader.of(dataset, permuted)) {
      bits(loader, 2);
      assertRefused(loader.state(), dataset.splitRows(7), permuted, "splits are");
    }
    Path others = folder.resolve("others");
    Table fewer = Tables.counting(new int[] {30, 29});
    assertRefused(
        state,
        writer().dataset(others, fewer, new Random(1)),
        options,
        "1 files, 59 rows",
        "60 rows");
    assertThatThrownBy(() -> LoaderState.parse("{\"format\":\"penstock-state\",\"version\":9}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("version 9");
    assertThatThrownBy(() -> LoaderState.parse("[]")).hasMessageContaining("Cannot read");
    assertThatThrownBy(() -> LoaderState.parse(state.toJson().substring(1)))
        .hasMessageContaining("Cannot read a loader's state");
  }

  @Test
  void stateWhoseNumbersCannotBeRightIsRefused() throws IOException {
    Table files = Tables.counting(new int[] {30, 30});
    StructuredDataset dataset = writer().dataset(folder, files, new Random(1));
    String state;
    try (DataLoader loader = DataLoader.of(dataset, o -> o.batchSize(10).rank(Rank.SINGLE))) {
      bits(loader, 2);
      state = loader.state().toJson();
    }
    String stage = "{'world':%s,'rankEnd':'exact','at':%s}".replace('\'', '"');
    assertNotRight(dataset, state, "[[20,0]]", "[[61,0]]", "behind row 61 of a rank that has 60");
    assertNotRight(dataset, state, "[[20,0]]", "[[9223372036854775807,0]]", "that has 60");
    assertNotRight(dataset, state, "[[20,0]]", "[[20,5]]", "but here is no transform");
    assertNotRight(
        dataset, state, "[[20,0]]", "[[20,4294967296]]", "'at' of the document is 42949");
    assertNotRight(dataset, state, "\"world\":1", "\"world\":2147483647", "1 to 1048576");
    assertNotRight(dataset, state, "\"batches\":2", "\"batches\":9223372036854775807", "'batches'");
    assertNotRight(dataset, state, "\"epoch\":0", "\"epoch\":9223372036854775807", "'epoch'");
    String past = "\"past\":[]";
    for (String[] each :
        new String[][] {
          {"2147483647", "[[0,0]]", "1 to 1048576"},
          {"1048576", "[[2,0]]", "behind row 2 of a rank that has 1"},
          {"7", "[[9,0],[9,0],[9,0],[9,0],[9,0],[0,0],[0,0]]", "behind row 9 of a rank that has 8"},
          {"2", "[[10,7]]", "but here is no transform"}
        }) {
      String stopped = stage.formatted(each[0], each[1]);
      assertNotRight(dataset, state, past, "\"past\":[" + stopped + "]", each[2]);
    }
    String many = stage.formatted("1048576", "[[0,0]]");
    try (DataLoader loader = DataLoader.of(dataset, o -> o.rank(Rank.SINGLE))) {
      loader.resume(LoaderState.parse(state.replace(past, "\"past\":[" + many + "]")));
      assertThat(Delivery.ofEpoch(loader).ids()).hasSize(40);
    }
  }

  private static void assertNotRight(
      StructuredDataset dataset, String state, String right, String wrong, String reason) {
    assertThat(state).contains(right);
    assertThatThrownBy(
            () -> {
              try (DataLoader loader = DataLoader.of(dataset, o -> o.rank(Rank.SINGLE))) {
                loader.resume(LoaderState.parse(state.replace(right, wrong)));
                bits(loader, Long.MAX_VALUE);
              }
            })
        .as(wrong)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot re")
        .hasMessageContaining(reason);
  }

  private static void assertRefused(
      LoaderState state, StructuredDataset dataset, LoaderOptions options, String... parts) {
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      loader.resume(state);
      assertThatThrownBy(loader::iterator)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Cannot resume: the ")
          .hasMessageContainingAll(parts);
    }
  }

  @Test
  void behindAFilterThatIsNotCountedAnotherWorldTakesTheStatesOfAllRanks() throws IOException {
    Table files = Tables.counting(new int[] {30, 30});
    StructuredDataset dataset =
        writer().dataset(folder.resolve("data"), files, new Random(1)).where("id != 3");
    LoaderState state;
    try (DataLoader loader =
        DataLoader.of(dataset, o -> o.batchSize(4).rank(new Rank(0, 2)).countMatches(false))) {
      bits(loader, 2);
      state = loader.state();
    }
    try (DataLoader loader = DataLoader.of(dataset, o -> o.batchSize(4))) {
      loader.resume(state);
      assertThatThrownBy(loader::iterator).hasMessageContaining("Merge the states of all ranks");
    }
    assertThatThrownBy(() -> LoaderState.merge(List.of(state)))
        .hasMessageContaining("that of rank 1 of 2 is not there");
  }

  @Test
  void whatWasDeliveredIsNotReadAgain() throws IOException {
    Table table = Tables.counting(new int[] {20_000, 20_000, 20_000});
    StructuredDataset dataset = writer().dataset(folder, table, new Random(1));
    LoaderState state;
    long whole;
    try (DataLoader loader = DataLoader.of(dataset, o -> o.batchSize(1000).workers(0))) {
      bits(loader, Long.MAX_VALUE);
      whole = loader.stats().read().bytes();
      bits(loader, 40);
      state = loader.state();
    }
    try (DataLoader loader = DataLoader.of(dataset, o -> o.batchSize(1000).workers(0))) {
      loader.resume(state);
      bits(loader, Long.MAX_VALUE);
      assertThat(loader.stats().rows()).isEqualTo(20_000);
      assertThat(loader.stats().read().bytes()).isLessThan(whole / 2);
    }
  }
}
