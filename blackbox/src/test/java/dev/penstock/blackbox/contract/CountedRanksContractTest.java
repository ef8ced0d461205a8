package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.files.FaultStorage;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.FileSplit;
import dev.penstock.split.Rank;
import dev.penstock.split.RankEnd;
import dev.penstock.split.Shuffle;
import dev.penstock.tck.Table;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// What every format promises of ranks behind a filter: the rows that match are counted first, so
/// that all ranks have the same number of batches, and resume as they do without a filter.
class CountedRanksContractTest extends FileContract {

  static List<ContractFiles> files() {
    return ContractFiles.ofOrder();
  }

  /// Files, a filter, and the numbers of the rows that it keeps by plain arithmetic.
  private record Case(StructuredDataset dataset, LoaderOptions options, List<Long> kept) {
    DataLoader loader(Rank rank, UnaryOperator<LoaderOptions> change) {
      return DataLoader.of(dataset, change.apply(options.rank(rank)));
    }
  }

  /// The filter's column of row `id`: matches come alone, in clumps, and not at all for long.
  static long pick(long id) {
    return id / 40 % 3 == 0 ? 9 : id * id % 7;
  }

  static Table table(int[]... rowsOfGroupsOfFiles) {
    DataType whole = new DataType.Int(64, true);
    Schema schema =
        Schema.of(
            List.of(
                new Field("id", whole, false),
                new Field("pick", whole, false),
                new Field("text", new DataType.Utf8(), false)));
    Random random = new Random(5);
    List<Table.DataFile> files = new ArrayList<>();
    for (Table.DataFile file : Tables.counting(rowsOfGroupsOfFiles).files()) {
      List<List<List<Object>>> groups = new ArrayList<>();
      for (List<List<Object>> group : file.groups()) {
        groups.add(
            group.stream()
                .map(row -> {
                  long id = (Long) row.getFirst();
                  return List.<Object>of(id, pick(id), Long.toString(random.nextLong(), 36));
                })
                .toList());
      }
      files.add(new Table.DataFile(file.name(), groups));
    }
    return new Table(schema, files);
  }

  private Case random(Random random) throws IOException {
    int[][] files = new int[1 + random.nextInt(3)][];
    long rows = 0;
    for (int file = 0; file < files.length; file++) {
      files[file] = random.ints(1 + random.nextInt(4), 0, 150).toArray();
      for (int group : files[file]) {
        rows += group;
      }
    }
    long below = random.nextLong(8);
    long from = random.nextLong(rows + 1);
    String filter;
    LongPredicate keeps;
    if (random.nextBoolean()) {
      filter = "pick < " + below;
      keeps = id -> pick(id) < below;
    } else {
      filter = "id >= " + from + " or pick = " + below;
      keeps = id -> id >= from || pick(id) == below;
    }
    StructuredDataset dataset =
        writer().dataset(folder, table(files), random).where(filter).columns("id");
    if (random.nextBoolean()) {
      dataset = dataset.splitRows(1 + random.nextInt(60));
    }
    LoaderOptions options =
        LoaderOptions.defaults().batchSize(1 + random.nextInt(20)).seed(random.nextLong());
    return new Case(dataset, options, LongStream.range(0, rows).filter(keeps).boxed().toList());
  }

  private static Shuffle shuffle(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> Shuffle.none();
      case 1 -> Shuffle.splits();
      default -> Shuffle.window(1 + random.nextInt(70)).interleave(1 + random.nextInt(3));
    };
  }

  private static List<Long> ids(Batch batch) {
    return LongStream.range(0, batch.rowCount())
        .mapToObj(row -> batch.tensor("id").getLong(row))
        .toList();
  }

  private static List<List<Long>> batches(DataLoader loader, long most) {
    List<List<Long>> batches = new ArrayList<>();
    EpochIterator<Batch> epoch =
        loader.iterator(); // left open: the state is that of a run cut short
    while (batches.size() < most && epoch.hasNext()) {
      try (Batch batch = epoch.next()) {
        batches.add(ids(batch));
      }
    }
    return batches;
  }

  private static List<Long> joined(List<List<Long>> batches) {
    return batches.stream().flatMap(List::stream).toList();
  }

  // --- Equal numbers of batches

  @Seeded(runs = 80)
  void ranksHaveTheSameNumberOfBatches(Random random) throws IOException {
    Case each = random(random);
    int world = 2 + random.nextInt(4);
    RankEnd end = List.of(RankEnd.values()).get(random.nextInt(3));
    boolean dropLast = random.nextInt(3) == 0;
    Shuffle shuffle = shuffle(random);
    long kept = each.kept().size();
    long least = end == RankEnd.PAD ? Math.ceilDiv(kept, world) : kept / world;
    long most = end == RankEnd.DROP ? kept / world : Math.ceilDiv(kept, world);
    int batchSize = each.options().batching().size();
    long batchCount = dropLast ? least / batchSize : Math.ceilDiv(most, batchSize);
    List<Long> together = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      try (DataLoader loader =
          each.loader(
              new Rank(rank, world),
              o ->
                  o.rankEnd(end)
                      .dropLast(dropLast)
                      .shuffle(shuffle)
                      .workers(Workers.any(random))
                      .memory("4MiB"))) {
        loader.setEpoch(random.nextInt(2)); // shares of all epochs are equal
        List<List<Long>> batches = batches(loader, Long.MAX_VALUE);
        assertThat(batches).hasSize((int) batchCount);
        assertThat(loader.batchesPerEpoch()).isEqualTo(batchCount);
        long rows = joined(batches).size();
        assertThat(rows).isBetween(dropLast ? batchCount * batchSize : least, most);
        for (int batch = 0; batch + 1 < batches.size(); batch++) {
          long left = Math.max(0, rows - (long) batch * batchSize);
          assertThat(batches.get(batch)).hasSize((int) Math.min(batchSize, left));
        }
        loader.setEpoch(0);
        together.addAll(joined(batches(loader, Long.MAX_VALUE)));
      }
    }
    if (shuffle instanceof Shuffle.None && !dropLast) {
      List<Long> expected =
          new ArrayList<>(each.kept().subList(0, Math.min((int) kept, together.size())));
      for (int more = 0; expected.size() < most * world && end == RankEnd.PAD; more++) {
        expected.add(each.kept().get(more % (int) kept));
      }
      assertThat(together).isEqualTo(expected);
    } else if (end == RankEnd.EXACT && !dropLast) {
      assertThat(together).containsExactlyInAnyOrderElementsOf(each.kept());
    } else {
      assertThat(each.kept()).containsAll(together);
      if (end != RankEnd.PAD) {
        assertThat(together).doesNotHaveDuplicates();
      }
    }
  }

  @Seeded(runs = 20)
  void planHasTheRanksRows(Random random) throws IOException {
    Case each = random(random);
    int world = 2 + random.nextInt(4);
    List<Long> firstIds = new ArrayList<>(List.of(0L));
    each.dataset().files().forEach(file -> firstIds.add(firstIds.getLast() + file.rows()));
    for (int rank = 0; rank < world; rank++) {
      Rank one = new Rank(rank, world);
      List<Long> planned = new ArrayList<>();
      for (FileSplit split : each.dataset().plan(each.options().rank(one), 0).sequence()) {
        long first = firstIds.get(each.dataset().files().indexOf(split.file()));
        each.kept().stream()
            .filter(id -> id >= first + split.firstRow() && id < first + split.endRow())
            .forEach(planned::add);
      }
      try (DataLoader loader = each.loader(one, o -> o)) {
        assertThat(joined(batches(loader, Long.MAX_VALUE))).isEqualTo(planned);
      }
    }
  }

  // --- Resume

  /// In the same world the state of any rank is enough, and not a bit changes.
  @Seeded(runs = 40)
  void anyRanksStateIsEnough(Random random) throws IOException {
    Case each = random(random);
    int world = 2 + random.nextInt(3);
    Shuffle shuffle = shuffle(random);
    RankEnd end = random.nextBoolean() ? RankEnd.PAD : RankEnd.EXACT;
    UnaryOperator<LoaderOptions> change =
        o -> o.shuffle(shuffle).rankEnd(end).workers(Workers.any(random));
    List<List<List<Long>>> whole = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      try (DataLoader loader = each.loader(new Rank(rank, world), change)) {
        whole.add(batches(loader, Long.MAX_VALUE));
      }
    }
    int steps = whole.getFirst().size();
    if (steps == 0) {
      return; // an epoch without batches is over at once
    }
    int stop = random.nextInt(steps);
    LoaderState state;
    try (DataLoader loader = each.loader(new Rank(random.nextInt(world), world), change)) {
      batches(loader, stop);
      state = LoaderState.parse(loader.state().toJson());
      assertThat(state.toJson().length()).isLessThan(1024);
    }
    for (int rank = 0; rank < world; rank++) {
      try (DataLoader loader = each.loader(new Rank(rank, world), change)) {
        loader.resume(state);
        List<List<Long>> rest = batches(loader, Long.MAX_VALUE);
        assertThat(rest).isEqualTo(whole.get(rank).subList(stop, steps));
        assertThat(loader.state().epoch()).isOne();
      }
    }
  }

  /// Four ranks, then one, which counts nothing for itself, then two: each time with the state of
  /// one rank.
  @Seeded(runs = 40)
  void otherWorldsGoOnWithTheStateOfOneRank(Random random) throws IOException {
    Case each = random(random);
    Shuffle shuffle = shuffle(random);
    List<Long> delivered = new ArrayList<>();
    LoaderState state = null;
    for (int world : new int[] {4, 1, 2}) {
      int steps = world == 2 ? Integer.MAX_VALUE : random.nextInt(4);
      LoaderState next = null;
      List<Integer> counts = new ArrayList<>();
      for (int rank = 0; rank < world; rank++) {
        try (DataLoader loader =
            each.loader(
                new Rank(rank, world), o -> o.shuffle(shuffle).workers(Workers.any(random)))) {
          if (state != null) {
            loader.resume(state);
          }
          List<List<Long>> batches = batches(loader, steps);
          counts.add(batches.size());
          delivered.addAll(joined(batches));
          next = rank == 0 ? loader.state() : next;
        }
      }
      assertThat(counts.stream().distinct()).as("%s", counts).hasSize(1);
      if (next == null || next.epoch() > 0) {
        break;
      }
      state = LoaderState.parse(next.toJson());
    }
    assertThat(delivered).containsExactlyInAnyOrderElementsOf(each.kept());
  }

  /// A run that dealt rows before the filter, as earlier versions do, goes on as it was.
  @Seeded(runs = 20)
  void whatWasDealtBeforeTheFilterStaysSo(Random random) throws IOException {
    Case each = random(random);
    Shuffle shuffle = shuffle(random);
    for (int rank = 0; rank < 3; rank++) {
      Rank one = new Rank(rank, 3);
      List<List<Long>> batches;
      LoaderState state;
      List<List<Long>> whole;
      try (DataLoader loader = each.loader(one, o -> o.shuffle(shuffle).countMatches(false))) {
        whole = batches(loader, Long.MAX_VALUE);
        loader.setEpoch(0);
        batches = batches(loader, 1);
        state = LoaderState.parse(loader.state().toJson());
      }
      if (state.batches() == 0) {
        continue; // the rank has a batch at most
      }
      try (DataLoader loader = each.loader(one, o -> o.shuffle(shuffle))) {
        loader.resume(state);
        batches.addAll(batches(loader, Long.MAX_VALUE));
        assertThat(batches).isEqualTo(whole);
      }
    }
  }

  // --- What is read

  @Test
  void nothingIsReadWhereNothingIsToBeCounted() throws IOException {
    Table table = table(new int[] {500, 500});
    FaultStorage.Site site = site(table);
    StructuredDataset all = open(site, table);
    StructuredDataset some = all.where("pick < 3");
    var _ = all.files();
    var _ = some.files();
    long footers = site.bytesRead();
    LoaderOptions two = LoaderOptions.defaults().rank(new Rank(1, 2));
    try (DataLoader loader = DataLoader.of(all, two)) {
      assertThat(loader.batchesPerEpoch()).isOne();
    }
    try (DataLoader loader = DataLoader.of(all.where("id >= 0"), two)) {
      assertThat(loader.batchesPerEpoch()).isOne();
    }
    try (DataLoader loader = DataLoader.of(some, two.stepsPerEpoch(3))) {
      assertThat(loader.batchesPerEpoch()).isEqualTo(3);
      assertThat(loader.state().batches()).isZero();
    }
    for (LoaderOptions options :
        List.of(
            two.rank(Rank.SINGLE), two.countMatches(false), two.transform((block, _) -> block))) {
      try (DataLoader loader = DataLoader.of(some, options)) {
        assertThatThrownBy(loader::batchesPerEpoch)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("Cannot tell the number of batches")
            .hasMessageContaining("stepsPerEpoch(n)");
      }
    }
    try (DataLoader loader = DataLoader.of(some, two)) {
      loader.state();
      assertThat(site.bytesRead()).isLessThan(footers * 4); // the footers of datasets made here
      loader.batchesPerEpoch();
      long counted = site.bytesRead();
      loader.batchesPerEpoch();
      assertThat(site.bytesRead()).isEqualTo(counted);
    }
  }

  FaultStorage.Site site(Table table) throws IOException {
    return FaultStorage.over(writer().write(folder, table, new Random(3)));
  }

  StructuredDataset open(FaultStorage.Site site, Table table) {
    return writer().open(site.location(), table);
  }

  // --- Errors and ends

  @Test
  void failureToCountIsThrownAndTheNextTryCounts() throws IOException {
    Table table = table(new int[] {500}, new int[] {500}, new int[] {500});
    FaultStorage.Site site = site(table);
    StructuredDataset dataset = open(site, table).where("pick < 3");
    for (int workers : Workers.COUNTS) {
      try (DataLoader loader =
          DataLoader.of(dataset, o -> o.rank(new Rank(0, 2)).workers(workers))) {
        loader.state();
        site.onRead(location -> {
          if (location.text().contains("part-1")) {
            throw new IOException("torn. [" + location + "]");
          }
        });
        assertThatThrownBy(loader::batchesPerEpoch)
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining("torn")
            .hasMessageContaining("part-1");
        assertThatThrownBy(loader::iterator).hasMessageContaining("part-1");
        assertThat(site.openFiles()).isZero();
        site.onRead(_ -> {});
        assertThat(batches(loader, Long.MAX_VALUE)).hasSize((int) loader.batchesPerEpoch());
      }
    }
  }

  @Test
  void closeEndsTheCounting() throws Exception {
    Table table = table(new int[] {500}, new int[] {500});
    FaultStorage.Site site = site(table);
    StructuredDataset dataset = open(site, table).where("pick < 3");
    var _ = dataset.files();
    try (FaultStorage.Gate gate = new FaultStorage.Gate()) {
      DataLoader loader = DataLoader.of(dataset, o -> o.rank(new Rank(0, 2)).workers(2));
      site.onRead(gate);
      CompletableFuture<EpochIterator<Batch>> epoch =
          CompletableFuture.supplyAsync(loader::iterator);
      gate.awaitArrival();
      Thread closing = Thread.ofPlatform().daemon().start(loader::close);
      // It waits for the reader; after three seconds it would leave it behind.
      while (closing.isAlive() && closing.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      gate.open();
      closing.join();
      assertThatThrownBy(epoch::join)
          .isInstanceOf(CompletionException.class)
          .hasMessageContaining("the loader is closed");
      assertThat(site.openFiles()).isZero();
      assertThatThrownBy(loader::batchesPerEpoch).hasMessageContaining("closed");
    }
  }
}
