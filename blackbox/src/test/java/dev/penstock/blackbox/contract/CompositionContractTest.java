package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.Mixture;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.blackbox.files.NextIds;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.compose.Balance;
import dev.penstock.compose.Buckets;
import dev.penstock.compose.Composition;
import dev.penstock.compose.Packs;
import dev.penstock.compose.Packs.TooLong;
import dev.penstock.format.RowGroup;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.tck.Table;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What every format with lists promises of compositions: what comes out is what plain arithmetic
/// makes of the rows of each window, and all else is as it is without one.
class CompositionContractTest extends FileContract {

  static List<ContractFiles> files() {
    return ContractFiles.ofLists();
  }

  /// A row and its tokens.
  private record Row(long id, List<Integer> tokens) {
    int length() {
      return tokens.size();
    }
  }

  /// Some of a list, in a pack.
  private record Piece(List<Integer> tokens, int position) {}

  /// A table whose lists have up to some length, and how it is read.
  private record Case(StructuredDataset dataset, LoaderOptions options, int window) {
    DataLoader loader(Rank rank, UnaryOperator<LoaderOptions> change) {
      return DataLoader.of(dataset, change.apply(options.rank(rank)));
    }

    DataLoader loader(UnaryOperator<LoaderOptions> change) {
      return loader(Rank.SINGLE, change);
    }
  }

  private static Table table(Random random, int longest, boolean hasNulls) {
    DataType numbers = new DataType.List(new DataType.Int(32, true), false);
    Schema schema =
        Schema.of(
            List.of(
                new Field("id", new DataType.Int(64, true), false),
                new Field("tokens", numbers, hasNulls)));
    List<Table.DataFile> files = new ArrayList<>();
    int[][] rows = new int[1 + random.nextInt(4)][];
    for (int file = 0; file < rows.length; file++) {
      rows[file] = random.ints(1 + random.nextInt(3), 1, 120).toArray();
    }
    for (Table.DataFile file : Tables.counting(rows).files()) {
      List<List<List<Object>>> groups = new ArrayList<>();
      for (List<List<Object>> group : file.groups()) {
        groups.add(
            group.stream()
                .map(row -> row(random, (Long) row.getFirst(), longest, hasNulls))
                .toList());
      }
      files.add(new Table.DataFile(file.name(), groups));
    }
    return new Table(schema, files);
  }

  private static List<Object> row(Random random, long id, int longest, boolean hasNulls) {
    if (hasNulls && random.nextInt(10) == 0) {
      return Arrays.asList(id, null);
    }
    int length = random.nextInt(8) == 0 ? 0 : random.nextInt(longest + 1);
    return List.of(id, IntStream.range(0, length).map(i -> (int) (id * 1000 + i)).boxed().toList());
  }

  private Case random(Random random, int longest) throws IOException {
    return random(random, table(random, longest, false));
  }

  private Case random(Random random, Table table) throws IOException {
    StructuredDataset dataset = writer().dataset(folder, table, random);
    boolean hasWindow = random.nextBoolean();
    int window = hasWindow ? 1 + random.nextInt(200) : Composition.ROWS;
    LoaderOptions options =
        LoaderOptions.defaults()
            .batchSize(1 + random.nextInt(20))
            .seed(random.nextLong())
            .workers(Workers.any(random))
            .nulls(NullPolicy.mask())
            .shuffle(
                hasWindow
                    ? Shuffle.window(window).interleave(1)
                    : random.nextBoolean() ? Shuffle.none() : Shuffle.splits());
    if (!hasWindow && random.nextBoolean()) {
      dataset = dataset.where("id < " + random.nextInt(400));
    }
    if (random.nextInt(3) == 0) {
      options = options.transform(new NextIds(), 1 + random.nextInt(100));
    }
    return new Case(dataset, options, window);
  }

  private static List<Integer> ints(Batch batch, String column, int row) {
    return IntStream.of((int[]) batch.ragged(column).row(row).toArray()).boxed().toList();
  }

  private static List<List<Row>> batches(DataLoader loader, long most) {
    List<List<Row>> batches = new ArrayList<>();
    EpochIterator<Batch> epoch = loader.iterator(); // left open, as if it were cut short
    while (batches.size() < most && epoch.hasNext()) {
      try (Batch batch = epoch.next()) {
        List<Row> rows = new ArrayList<>();
        for (int row = 0; row < batch.rowCount(); row++) {
          rows.add(new Row(batch.tensor("id").getLong(row), ints(batch, "tokens", row)));
        }
        batches.add(rows);
      }
    }
    return batches;
  }

  private static List<List<Row>> batches(DataLoader loader) {
    return batches(loader, Long.MAX_VALUE);
  }

  /// Returns the rows of each window, in the order of the files.
  private static List<List<Row>> windows(Case each) {
    List<Row> rows = new ArrayList<>();
    try (DataLoader loader = each.loader(o -> o.shuffle(Shuffle.none()))) {
      batches(loader).forEach(rows::addAll);
    }
    List<List<Row>> windows = new ArrayList<>();
    if (each.window() >= rows.size()) {
      return List.of(rows);
    }
    int next = 0;
    int room = 0;
    for (DataFileInfo file : each.dataset().files()) {
      for (RowGroup group : file.rowGroups()) { // as many whole ones as fit; larger ones are cut
        int end = next + (int) group.rowCount();
        room = end - next > room ? 0 : room;
        for (; next < end; next++) {
          if (room == 0) {
            windows.add(new ArrayList<>());
            room = each.window();
          }
          windows.getLast().add(rows.get(next));
          room--;
        }
      }
    }
    return windows;
  }

  /// Removes the window that a row is of.
  private static List<Row> take(List<List<Row>> windows, Predicate<Row> isIts) {
    List<Row> found =
        windows.stream()
            .filter(window -> window.stream().anyMatch(isIts))
            .findFirst()
            .orElseThrow();
    windows.remove(found);
    return found;
  }

  // --- Buckets

  private static Buckets buckets(Random random, int longest) {
    Buckets buckets = Composition.buckets("tokens");
    return random.nextBoolean() ? buckets : buckets.tokens(longest + random.nextInt(200));
  }

  /// Returns how long the rows of the batches of a window are: its rows by length, cut where a
  /// batch would be too large.
  private static List<List<Integer>> expected(List<Row> window, Buckets how, int batchSize) {
    List<List<Integer>> batches = new ArrayList<>();
    List<Integer> open = new ArrayList<>();
    for (int length : window.stream().map(Row::length).sorted().toList()) {
      long padded = (open.size() + 1L) * length;
      if (open.size() == batchSize || padded > how.tokens().orElse(Long.MAX_VALUE)) {
        batches.add(open);
        open = new ArrayList<>();
      }
      open.add(length);
    }
    batches.add(open);
    return batches;
  }

  @Seeded(runs = 18)
  void bucketsAreTheRowsOfAWindowByLength(Random random) throws IOException {
    Case each = random(random, 30);
    Buckets how = buckets(random, 30);
    List<List<Row>> windows = new ArrayList<>(windows(each));
    long elements = windows.stream().flatMap(List::stream).mapToLong(Row::length).sum();
    try (DataLoader loader = each.loader(o -> o.compose(how))) {
      List<List<Row>> batches = batches(loader);
      long padded = 0;
      while (!batches.isEmpty()) {
        Row first = batches.getFirst().getFirst();
        List<Row> window = take(windows, row -> row.id() == first.id());
        List<List<Integer>> expected = expected(window, how, each.options().batching().size());
        List<List<Row>> own = batches.subList(0, expected.size());
        assertThat(own.stream().map(batch -> batch.stream().map(Row::length).toList()))
            .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(own.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(window);
        padded += expected.stream().mapToLong(rows -> rows.size() * (long) rows.getLast()).sum();
        own.clear();
      }
      assertThat(windows).isEmpty();
      assertThat(loader.stats().padding().padded()).isEqualTo(padded);
      assertThat(loader.stats().padding().elements()).isEqualTo(elements);
    }
  }

  /// Where there are many, the first of them is often not the one with the shortest lists.
  @Test
  void bucketsComeInRandomOrder() throws IOException {
    Case each =
        new Case(
            writer().dataset(folder, table(new Random(4), 40, false), new Random(4)),
            LoaderOptions.defaults().batchSize(5),
            Composition.ROWS);
    List<Integer> first = new ArrayList<>();
    try (DataLoader loader = each.loader(o -> o.compose(Composition.buckets("tokens")))) {
      for (int epoch = 0; epoch < 8; epoch++) {
        first.add(batches(loader).getFirst().getLast().length());
      }
    }
    assertThat(first.stream().distinct().count()).isGreaterThan(4);
  }

  // --- Packs

  /// Returns the packs of an epoch.
  private static List<List<Piece>> packs(DataLoader loader, int length, long most) {
    List<List<Piece>> packs = new ArrayList<>();
    EpochIterator<Batch> epoch = loader.iterator();
    for (int batches = 0; batches < most && epoch.hasNext(); batches++) {
      try (Batch batch = epoch.next()) {
        assertThat(batch.tensor("tokens").shape().dims()).containsExactly(batch.rowCount(), length);
        for (int row = 0; row < batch.rowCount(); row++) {
          packs.add(pieces(batch, row));
        }
      }
    }
    return packs;
  }

  private static List<Piece> pieces(Batch batch, int row) {
    List<Integer> tokens = ints(batch, "tokens", row);
    List<Integer> segments = ints(batch, "tokens.segment", row);
    List<Integer> positions = ints(batch, "tokens.position", row);
    List<Piece> pieces = new ArrayList<>();
    int at = 0;
    while (at < tokens.size() && segments.get(at) != 0) {
      int from = at;
      while (at < tokens.size() && segments.get(at) == pieces.size() + 1) {
        assertThat(positions.get(at)).isEqualTo(positions.get(from) + at - from);
        at++;
      }
      assertThat(at).isGreaterThan(from);
      pieces.add(new Piece(tokens.subList(from, at), positions.get(from)));
    }
    for (; at < tokens.size(); at++) {
      assertThat(List.of(tokens.get(at), segments.get(at), positions.get(at))).containsOnly(0);
    }
    return pieces;
  }

  private static List<List<Piece>> packs(DataLoader loader, int length) {
    return packs(loader, length, Long.MAX_VALUE);
  }

  /// All but the last pack of a window are full, and hold its lists one after another.
  @Seeded(runs = 18)
  void packsThatAreCutHaveTheListsOneAfterAnother(Random random) throws IOException {
    Case each = random(random, 30);
    int length = 1 + random.nextInt(60);
    List<List<Row>> windows = new ArrayList<>(windows(each));
    windows.removeIf(window -> window.stream().allMatch(row -> row.length() == 0));
    try (DataLoader loader = each.loader(o -> o.compose(Composition.packs("tokens", length)))) {
      List<List<Piece>> packs = packs(loader, length);
      while (!packs.isEmpty()) {
        int first = packs.getFirst().getFirst().tokens().getFirst();
        List<Row> window = take(windows, row -> row.tokens().contains(first));
        int elements = window.stream().mapToInt(Row::length).sum();
        List<List<Piece>> own = packs.subList(0, Math.ceilDiv(elements, length));
        assertThat(own.stream().limit(own.size() - 1L)).allMatch(pack -> size(pack) == length);
        assertThat(joined(own))
            .containsExactlyInAnyOrderElementsOf(
                window.stream().map(Row::tokens).filter(list -> !list.isEmpty()).toList());
        own.clear();
      }
      assertThat(windows).isEmpty();
    }
  }

  /// Joins the pieces of packs to lists, where one goes on in the next pack.
  private static List<List<Integer>> joined(List<List<Piece>> packs) {
    List<List<Integer>> lists = new ArrayList<>();
    for (List<Piece> pack : packs) {
      for (Piece piece : pack) {
        if (piece.position() == 0) {
          lists.add(new ArrayList<>());
        }
        assertThat(lists.getLast()).hasSize(piece.position());
        lists.getLast().addAll(piece.tokens());
      }
    }
    return lists;
  }

  /// Returns the tokens, segments and positions of each batch of an epoch.
  private static List<List<List<Integer>>> rawPacks(DataLoader loader) {
    List<List<List<Integer>>> batches = new ArrayList<>();
    for (Batch batch : loader) {
      try (batch) {
        batches.add(
            List.of("tokens", "tokens.segment", "tokens.position").stream()
                .map(name -> IntStream.of((int[]) batch.tensor(name).toArray()).boxed().toList())
                .toList());
      }
    }
    return batches;
  }

  /// Attention that tells rows apart, but no lists within them.
  @Seeded(runs = 10)
  void packsOfAStreamAreThoseThatAreCutWithoutEdgesOfLists(Random random) throws IOException {
    Case each = random(random, 30);
    int length = 1 + random.nextInt(60);
    Packs packs = Composition.packs("tokens", length);
    try (DataLoader cut = each.loader(o -> o.compose(packs));
        DataLoader stream = each.loader(o -> o.compose(packs.stream()))) {
      List<List<List<Integer>>> expected =
          rawPacks(cut).stream()
              .map(batch -> {
                List<Integer> segments = batch.get(1).stream().map(s -> s > 0 ? 1 : 0).toList();
                List<Integer> positions =
                    IntStream.range(0, segments.size())
                        .mapToObj(i -> segments.get(i) * (i % length))
                        .toList();
                return List.of(batch.getFirst(), segments, positions);
              })
              .toList();
      assertThat(rawPacks(stream)).isEqualTo(expected);
      assertThat(stream.stats().padding()).isEqualTo(cut.stats().padding());
    }
  }

  @Test
  void packsInFileOrderAreTheTokensInFileOrder() throws IOException {
    Random random = new Random(8);
    Table table = table(random, 20, false);
    List<Object> tokens =
        table.rows().stream()
            .flatMap(row -> ((List<?>) row.getLast()).stream())
            .map(t -> (Object) t)
            .toList();
    StructuredDataset dataset = writer().dataset(folder, table, random);
    LoaderOptions options =
        LoaderOptions.defaults().rank(Rank.SINGLE).compose(Composition.packs("tokens", 16));
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      assertThat(
              packs(loader, 16).stream()
                  .flatMap(List::stream)
                  .flatMap(piece -> piece.tokens().stream())
                  .map(t -> (Object) t))
          .isEqualTo(tokens);
    }
  }

  @Test
  void nullListsLeaveNothingBehind() throws IOException {
    Random random = new Random(6);
    Table table = table(random, 20, true);
    List<Integer> tokens = new ArrayList<>();
    for (List<Object> row : table.rows()) {
      if (row.getLast() instanceof List<?> list) {
        list.forEach(each -> tokens.add((Integer) each));
      }
    }
    StructuredDataset dataset = writer().dataset(folder, table, random);
    LoaderOptions options =
        LoaderOptions.defaults().rank(Rank.SINGLE).compose(Composition.packs("tokens", 16));
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      assertThat(
              packs(loader, 16).stream()
                  .flatMap(List::stream)
                  .flatMap(piece -> piece.tokens().stream()))
          .isEqualTo(tokens);
    }
  }

  /// Returns how much room best fit decreasing leaves in packs, by looking at all of them.
  private static List<Integer> rooms(List<Row> window, int length) {
    List<Integer> rooms = new ArrayList<>();
    window.stream()
        .map(Row::length)
        .filter(each -> each > 0)
        .sorted(Comparator.reverseOrder())
        .forEach(each -> {
          int best = -1;
          for (int pack = 0; pack < rooms.size(); pack++) {
            int room = rooms.get(pack);
            best = room >= each && (best < 0 || room < rooms.get(best)) ? pack : best;
          }
          if (best < 0) {
            rooms.add(length - each);
          } else {
            rooms.set(best, rooms.get(best) - each);
          }
        });
    return rooms;
  }

  @Seeded(runs = 18)
  void wholePacksAreThoseOfBestFit(Random random) throws IOException {
    Case each = random(random, 30);
    int length = 30 + random.nextInt(60);
    List<List<Row>> windows = new ArrayList<>(windows(each));
    windows.removeIf(window -> window.stream().allMatch(row -> row.length() == 0));
    UnaryOperator<LoaderOptions> change =
        o -> o.compose(Composition.packs("tokens", length).whole());
    try (DataLoader loader = each.loader(change)) {
      List<List<Piece>> packs = packs(loader, length);
      while (!packs.isEmpty()) {
        int first = packs.getFirst().getFirst().tokens().getFirst();
        List<Row> window = take(windows, row -> row.tokens().contains(first));
        List<Integer> rooms = rooms(window, length);
        List<List<Piece>> own = packs.subList(0, rooms.size());
        assertThat(own.stream().map(pack -> length - size(pack)))
            .containsExactlyInAnyOrderElementsOf(rooms);
        List<List<Integer>> lists =
            window.stream().filter(row -> row.length() > 0).map(Row::tokens).toList();
        assertThat(own.stream().flatMap(List::stream))
            .allSatisfy(piece -> assertThat(piece.position()).isZero())
            .map(Piece::tokens)
            .containsExactlyInAnyOrderElementsOf(lists);
        if (!(each.options().order().shuffle()
            instanceof Shuffle.Window)) { // lists keep their order
          for (List<Piece> pack : own) {
            assertThat(pack)
                .isSortedAccordingTo(Comparator.comparingInt(p -> lists.indexOf(p.tokens())));
          }
          assertThat(own)
              .isSortedAccordingTo(
                  Comparator.comparingInt(p -> lists.indexOf(p.getFirst().tokens())));
        }
        own.clear();
      }
      assertThat(windows).isEmpty();
    }
  }

  private static int size(List<Piece> pack) {
    return pack.stream().mapToInt(piece -> piece.tokens().size()).sum();
  }

  @Seeded(runs = 8)
  void listsThatAreTooLongAreCutOrDropped(Random random) throws IOException {
    Case each = random(random, 90);
    int length = 20 + random.nextInt(20);
    List<Row> rows = windows(each).stream().flatMap(List::stream).toList();
    Packs packs = Composition.packs("tokens", length);
    try (DataLoader loader = each.loader(o -> o.compose(packs.whole(TooLong.CUT)))) {
      assertThat(packs(loader, length).stream().flatMap(List::stream))
          .containsExactlyInAnyOrderElementsOf(
              rows.stream()
                  .flatMap(row ->
                      IntStream.range(0, Math.ceilDiv(row.length(), length))
                          .map(i -> i * length)
                          .mapToObj(from ->
                              new Piece(
                                  row.tokens().subList(from, Math.min(row.length(), from + length)),
                                  from)))
                  .toList());
    }
    try (DataLoader loader = each.loader(o -> o.compose(packs.whole(TooLong.DROP)))) {
      assertThat(packs(loader, length).stream().flatMap(List::stream).map(Piece::tokens))
          .containsExactlyInAnyOrderElementsOf(
              rows.stream()
                  .map(Row::tokens)
                  .filter(list -> !list.isEmpty() && list.size() <= length)
                  .toList());
      assertThat(loader.stats().padding().dropped())
          .isEqualTo(rows.stream().filter(row -> row.length() > length).count());
    }
  }

  // --- Order, resume and ranks

  private static Composition composition(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> buckets(random, 30);
      case 1 -> Composition.packs("tokens", 1 + random.nextInt(60));
      case 2 -> Composition.packs("tokens", 1 + random.nextInt(60)).stream();
      default -> Composition.packs("tokens", 30 + random.nextInt(60)).whole();
    };
  }

  /// Returns one of these, or one whose batches are balanced.
  private static Composition orBalanced(Random random) {
    Balance balance =
        Balance.DEFAULT.quadratic(random.nextInt(2) * 0.1).accumulate(1 + random.nextInt(3));
    return switch (random.nextInt(5)) {
      case 0 -> Composition.balanced("tokens", balance);
      case 1 -> buckets(random, 30).balanced(balance);
      case 2 -> Composition.packs("tokens", 30 + random.nextInt(60)).whole().balanced(balance);
      default -> composition(random);
    };
  }

  /// Returns what comes of some batches, whatever the composition is.
  private static List<List<List<Integer>>> tokens(DataLoader loader, long most) {
    List<List<List<Integer>>> batches = new ArrayList<>();
    EpochIterator<Batch> epoch = loader.iterator();
    while (batches.size() < most && epoch.hasNext()) {
      try (Batch batch = epoch.next()) {
        batches.add(
            IntStream.range(0, batch.rowCount())
                .mapToObj(row -> ints(batch, "tokens", row))
                .toList());
      }
    }
    return batches;
  }

  @Seeded(runs = 14)
  void orderDependsNeitherOnWorkersNorOnMemory(Random random) throws IOException {
    Case each = spread(random, random(random, 30));
    Composition how = orBalanced(random);
    List<List<List<List<Integer>>>> all = new ArrayList<>();
    for (int workers : Workers.COUNTS) {
      try (DataLoader loader =
          each.loader(o ->
              o.compose(how).workers(workers).memory(random.nextBoolean() ? "4MiB" : "64MiB"))) {
        loader.setEpoch(1);
        all.add(tokens(loader, Long.MAX_VALUE));
      }
    }
    assertThat(all.stream().distinct()).hasSize(1);
  }

  @Seeded(runs = 18)
  void runThatStopsAfterAnyBatchGoesOn(Random random) throws IOException {
    Case each = spread(random, random(random, 30));
    Composition how = orBalanced(random);
    UnaryOperator<LoaderOptions> change = o -> o.compose(how).workers(Workers.any(random));
    List<List<List<Integer>>> whole;
    try (DataLoader loader = each.loader(change)) {
      whole = tokens(loader, Long.MAX_VALUE);
    }
    int stop = random.nextInt(whole.size() + 1);
    LoaderState state;
    try (DataLoader loader = each.loader(change)) {
      tokens(loader, stop);
      state = LoaderState.parse(loader.state().toJson());
      assertThat(state.toJson().length()).isLessThan(1024);
    }
    if (state.epoch() == 0) {
      try (DataLoader loader = each.loader(change)) {
        loader.resume(state);
        assertThat(tokens(loader, Long.MAX_VALUE)).isEqualTo(whole.subList(stop, whole.size()));
      }
    } else {
      assertThat(stop).isEqualTo(whole.size());
    }
  }

  private static Case spread(Random random, Case each) {
    return each.options().order().shuffle() instanceof Shuffle.Window window
        ? new Case(
            each.dataset(),
            each.options().shuffle(window.interleave(1 + random.nextInt(3))),
            each.window())
        : each;
  }

  /// Their batches together are those of one, each has as many, and it is known before.
  @Seeded(runs = 18)
  void ranksTogetherHaveTheRowsOfOne(Random random) throws IOException {
    Case each = spread(random, random(random, 30));
    Composition how = composition(random);
    UnaryOperator<LoaderOptions> change = o -> o.compose(how).workers(Workers.any(random));
    TogetherRanks.assertHaveTheRowsOfOne(
        random, rank -> each.loader(rank, change), loader -> tokens(loader, Long.MAX_VALUE));
  }

  @Seeded(runs = 20)
  void oneRankCountsOnRequest(Random random) throws IOException {
    Case each = spread(random, random(random, 30));
    Composition how = composition(random);
    UnaryOperator<LoaderOptions> plain = o -> o.compose(how);
    UnaryOperator<LoaderOptions> counted = o -> o.compose(how).countMatches(true);
    List<List<List<Integer>>> expected;
    try (DataLoader loader = each.loader(plain)) {
      assertThatThrownBy(loader::batchesPerEpoch)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("countMatches(true) reads them once to count, stepsPerEpoch(n)");
      expected = tokens(loader, Long.MAX_VALUE);
    }
    int stop = random.nextInt(expected.size() + 1);
    LoaderState state;
    try (DataLoader loader = each.loader(counted)) {
      assertThat(loader.batchesPerEpoch()).isEqualTo(expected.size());
      assertThat(tokens(loader, stop)).isEqualTo(expected.subList(0, stop));
      state = LoaderState.parse(loader.state().toJson());
    }
    if (state.epoch() == 0) {
      try (DataLoader loader = each.loader(random.nextBoolean() ? counted : plain)) {
        loader.resume(state);
        assertThat(tokens(loader, Long.MAX_VALUE))
            .isEqualTo(expected.subList(stop, expected.size()));
      }
    }
  }

  /// Several ranks, one, and several again, each time with the states of all: every row comes once.
  @Seeded(runs = 18)
  void otherWorldsGoOnWithTheStatesOfAllRanks(Random random) throws IOException {
    Case each = spread(random, random(random, 30));
    Composition how = orBalanced(random);
    int epoch = random.nextInt(3);
    List<List<Integer>> one;
    try (DataLoader loader = each.loader(o -> o.compose(how))) {
      loader.setEpoch(epoch);
      one = tokens(loader, Long.MAX_VALUE).stream().flatMap(List::stream).toList();
    }
    List<List<Integer>> delivered = new ArrayList<>();
    LoaderState state = null;
    boolean isOver = false;
    for (int world : List.of(1 + random.nextInt(3), 1 + random.nextInt(3), 1 + random.nextInt(3))) {
      if (isOver) {
        break;
      }
      int steps = random.nextInt(5);
      List<LoaderState> states = new ArrayList<>();
      for (int rank = 0; rank < world; rank++) {
        try (DataLoader loader =
            each.loader(new Rank(rank, world), o -> o.compose(how).workers(Workers.any(random)))) {
          loader.setEpoch(epoch);
          if (state != null) {
            loader.resume(state);
          }
          tokens(loader, steps).forEach(delivered::addAll);
          states.add(LoaderState.parse(loader.state().toJson()));
        }
      }
      isOver = states.getFirst().epoch() > epoch;
      state = LoaderState.merge(states);
    }
    if (!isOver) {
      try (DataLoader loader = each.loader(o -> o.compose(how))) {
        loader.resume(Objects.requireNonNull(state));
        tokens(loader, Long.MAX_VALUE).forEach(delivered::addAll);
      }
    }
    assertThat(delivered).containsExactlyInAnyOrderElementsOf(one);
  }

  /// The batches of an epoch have their own order, by which a state between them is counted.
  @Test
  void ranksGoOnBehindAnyBucketOfALaterEpoch() throws IOException {
    Random random = new Random(7);
    StructuredDataset dataset = writer().dataset(folder, table(random, 40, false), random);
    Case each = new Case(dataset, LoaderOptions.defaults().batchSize(9), Composition.ROWS);
    UnaryOperator<LoaderOptions> change = o -> o.compose(Composition.buckets("tokens").tokens(100));
    List<List<Row>> whole;
    try (DataLoader loader = each.loader(change)) {
      loader.setEpoch(2);
      whole = batches(loader);
    }
    for (int stop = 1; stop < whole.size(); stop += 1 + whole.size() / 8) {
      LoaderState state;
      try (DataLoader loader = each.loader(change)) {
        loader.setEpoch(2);
        batches(loader, stop);
        state = loader.state();
      }
      List<List<Row>> rest = new ArrayList<>();
      for (int rank = 0; rank < 2; rank++) {
        try (DataLoader loader = each.loader(new Rank(rank, 2), change)) {
          loader.resume(state);
          rest.addAll(batches(loader));
        }
      }
      rest.removeIf(List::isEmpty); // of a rank that has one batch less
      assertThat(rest).isEqualTo(whole.subList(stop, whole.size()));
    }
  }

  // --- Beside a mixture and a transform

  /// Packs of a mixture have the tokens of both sources, and a stopped run goes on.
  @Seeded(runs = 8)
  void mixtureIsPacked(Random random) throws IOException {
    List<List<Integer>> lists = new ArrayList<>();
    Mixture mixture = null;
    for (int source = 0; source < 2; source++) {
      Table table = table(random, 30, false);
      table.rows().forEach(row -> lists.add(tokens(row)));
      StructuredDataset dataset =
          writer().dataset(folder.resolve("source-" + source), table, random);
      mixture = mixture == null ? Mixture.of(dataset, 0.7) : mixture.and(dataset, 0.3);
    }
    lists.removeIf(List::isEmpty);
    StructuredDataset mixed = new StructuredDataset(mixture.stop(Mixture.Stop.ALL));
    Composition how =
        random.nextBoolean()
            ? Composition.packs("tokens", 40)
            : Composition.packs("tokens", 40).whole();
    UnaryOperator<LoaderOptions> change =
        o ->
            o.compose(how)
                .shuffle(random.nextBoolean() ? Shuffle.none() : Shuffle.splits())
                .workers(Workers.any(random));
    Case each = new Case(mixed, LoaderOptions.defaults().batchSize(3), Composition.ROWS);
    Shuffle window = Shuffle.window(100);
    for (UnaryOperator<LoaderOptions> way :
        List.<UnaryOperator<LoaderOptions>>of(change, o -> change.apply(o).shuffle(window))) {
      try (DataLoader loader = each.loader(way)) {
        assertThat(joined(packs(loader, 40))).containsExactlyInAnyOrderElementsOf(lists);
      }
    }
    List<List<List<Integer>>> whole;
    UnaryOperator<LoaderOptions> same = o -> o.compose(how).shuffle(window);
    try (DataLoader loader = each.loader(same)) {
      whole = tokens(loader, Long.MAX_VALUE);
    }
    try (DataLoader loader = each.loader(same);
        DataLoader next = each.loader(same)) {
      tokens(loader, 2);
      next.resume(loader.state());
      assertThat(tokens(next, Long.MAX_VALUE)).isEqualTo(whole.subList(2, whole.size()));
    }
  }

  private static List<Integer> tokens(List<Object> row) {
    return ((List<?>) row.getLast()).stream().map(each -> (Integer) each).toList();
  }

  private static int[] thirds(long[] ids) {
    return IntStream.range(0, ids.length).filter(row -> ids[row] % 3 == 0).toArray();
  }

  /// A transform gives its rows to the composition.
  @Seeded(runs = 8)
  void whatATransformMakesIsPacked(Random random) throws IOException {
    Table table = table(random, 30, false);
    List<List<Integer>> lists =
        table.rows().stream()
            .filter(row -> ((Number) row.getFirst()).longValue() % 3 == 0)
            .map(CompositionContractTest::tokens)
            .filter(list -> !list.isEmpty())
            .toList();
    Case each =
        new Case(
            writer().dataset(folder, table, random),
            LoaderOptions.defaults().batchSize(3),
            Composition.ROWS);
    UnaryOperator<LoaderOptions> change =
        o ->
            o.workers(Workers.any(random))
                .transform((block, _) -> block.take(thirds(block.longs("id"))), 50)
                .compose(Composition.packs("tokens", 40));
    try (DataLoader loader = each.loader(change)) {
      assertThat(joined(packs(loader, 40))).isEqualTo(lists);
    }
    List<List<Integer>> together = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      try (DataLoader loader = each.loader(new Rank(rank, 2), change)) {
        tokens(loader, Long.MAX_VALUE).forEach(together::addAll);
      }
    }
    try (DataLoader loader = each.loader(change)) {
      assertThat(tokens(loader, Long.MAX_VALUE).stream().flatMap(List::stream)).isEqualTo(together);
    }
  }

  // --- Errors

  /// A state that was edited to be behind half a batch.
  @Test
  void stateWithinABatchIsRefused() throws IOException {
    StructuredDataset dataset =
        writer().dataset(folder, table(new Random(3), 30, false), new Random(3));
    Case each = new Case(dataset, LoaderOptions.defaults().batchSize(8), Composition.ROWS);
    UnaryOperator<LoaderOptions> change = o -> o.compose(Composition.buckets("tokens"));
    LoaderState edited;
    try (DataLoader loader = each.loader(change)) {
      batches(loader, 2);
      String json = loader.state().toJson();
      assertThat(json).contains("[[0,16]]");
      edited = LoaderState.parse(json.replace("[[0,16]]", "[[0,15]]"));
    }
    for (Rank rank : List.of(Rank.SINGLE, new Rank(0, 2))) {
      try (DataLoader loader = each.loader(rank, change)) {
        loader.resume(edited);
        assertThatThrownBy(() -> batches(loader))
            .hasMessageContaining("Cannot resume: the state is behind 15 rows of a window");
      }
    }
  }

  @Test
  void listThatIsTooLongIsNamed() throws IOException {
    StructuredDataset dataset =
        writer().dataset(folder, table(new Random(3), 30, false), new Random(3));
    for (Composition how :
        List.of(Composition.buckets("tokens").tokens(9), Composition.packs("tokens", 9).whole())) {
      try (DataLoader loader = DataLoader.of(dataset, o -> o.rank(Rank.SINGLE).compose(how))) {
        EpochIterator<Batch> epoch = loader.iterator();
        assertThatThrownBy(epoch::next)
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining("row ")
            .hasMessageContaining("its list 'tokens' has ")
            .hasMessageContaining("part-0");
      }
    }
  }

  @Test
  void columnsThatCannotBeComposedAreRefused() throws IOException {
    StructuredDataset dataset =
        writer().dataset(folder, table(new Random(3), 30, false), new Random(3));
    for (String column : List.of("id", "nothing")) {
      try (DataLoader loader =
          DataLoader.of(dataset, o -> o.compose(Composition.buckets(column)))) {
        assertThatIllegalArgumentException()
            .isThrownBy(loader::iterator)
            .withMessageContaining("Cannot bucket by column '" + column + "'");
      }
    }
  }
}
