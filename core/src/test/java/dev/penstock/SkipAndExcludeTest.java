package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.Batch;
import dev.penstock.compose.Composition;
import dev.penstock.filter.Filter;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.catalog.CatalogFile;
import dev.penstock.spi.catalog.CatalogFiles;
import dev.penstock.spi.catalog.CatalogTable;
import dev.penstock.spi.catalog.Installed;
import dev.penstock.spi.format.LiveRows;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.steps.ExcludedRows;
import dev.penstock.steps.Steps;
import dev.penstock.storage.Location;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageTypeParser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Random runs in which steps are skipped and rows are excluded, in any order, with any workers,
/// stopped anywhere and gone on with in other worlds: all other rows come once, and these never.
///
/// Row `i` of all files together has the number `i`.
class SkipAndExcludeTest {
  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field("c0", DataType.int64(), false), new Field("c1", DataType.int32(), false)));

  private static final int[] FILES = {40, 1, 25, 70, 33};
  private static final int ROWS = IntStream.of(FILES).sum();

  @TempDir static Path folder;

  @BeforeAll
  static void writeFiles() throws IOException {
    int first = 0;
    for (int file = 0; file < FILES.length; file++) {
      List<@Nullable Object> numbers = new ArrayList<>();
      List<@Nullable Object> parts = new ArrayList<>();
      for (int row = first; row < first + FILES[file]; row++) {
        numbers.add((long) row);
        parts.add((long) (row * 7 % 5));
      }
      Path path =
          Files.createDirectories(folder.resolve("tables")).resolve("part-" + file + ".parquet");
      TestTables.write(
          new TestTables.Table(
              SCHEMA,
              MessageTypeParser.parseMessageType(
                  "message table { required int64 c0; required int32 c1; }"),
              List.of(numbers, parts),
              FILES[file]),
          new TestTables.Layout(
              CompressionCodecName.UNCOMPRESSED, false, false, 1 << 20, 8, 16, true),
          path);
      first += FILES[file];
    }
  }

  private static boolean isDeleted(long row) {
    return row % 9 == 4;
  }

  /// Returns the numbers of stored rows that a file has, without those that were deleted.
  private static Set<Long> numbers(int file, boolean hasDeletes) {
    int first = IntStream.range(0, file).map(each -> FILES[each]).sum();
    Set<Long> numbers = new TreeSet<>();
    for (int row = 0; row < FILES[file]; row++) {
      if (!hasDeletes || !isDeleted(row)) {
        numbers.add((long) first + row);
      }
    }
    return numbers;
  }

  private static StructuredDataset dataset(Set<Integer> files, boolean hasDeletes) {
    LiveRows live =
        (_, metadata) ->
            Optional.of(
                RowSet.allBut(
                    metadata.rowCount(),
                    LongStream.range(0, metadata.rowCount())
                        .filter(SkipAndExcludeTest::isDeleted)));
    StructuredDataset dataset =
        new StructuredDataset(
            new CatalogTable() {
              @Override
              public String name() {
                return "numbers";
              }

              @Override
              public String version() {
                return "version 1";
              }

              @Override
              public Schema schema() {
                return SCHEMA;
              }

              @Override
              public CatalogFiles files(Optional<Filter> filter) throws IOException {
                Location all = new Location(folder.resolve("tables").toString());
                Storage store = Installed.store(all, StorageOptions.NONE);
                List<CatalogFile> listed = new ArrayList<>();
                for (FileEntry entry : store.list(all)) {
                  int number = entry.location().name().charAt(5) - '0';
                  if (files.contains(number)) {
                    listed.add(
                        new CatalogFile(
                            entry,
                            store,
                            Installed.format("parquet"),
                            Map.of(),
                            Optional.empty(),
                            hasDeletes ? Optional.of(live) : Optional.empty(),
                            OptionalLong.empty()));
                  }
                }
                return new CatalogFiles(listed, List.of());
              }
            });
    return dataset.cache(folder.resolve("cache").toString(), "64MiB");
  }

  /// What one run is.
  private static final class Run {
    private final Random random;
    private final StructuredDataset dataset;
    private final boolean
        mayBeOpen; // which rows a step has, as nobody counts matches in a world of 1
    private final LoaderOptions options;
    private final Set<Long> matching = new HashSet<>();
    private final Set<Long> excluded = new HashSet<>();
    private final boolean hasDeletes;
    private int world;
    private Set<Long> left = Set.of(); // what the epoch is still to deliver
    private List<LoaderState> states = List.of();
    private List<DataLoader> loaders = new ArrayList<>();
    private List<EpochIterator<Batch>> iterators = new ArrayList<>();

    Run(Random random) {
      this.random = random;
      this.hasDeletes = random.nextBoolean();
      boolean isMixed = random.nextInt(3) == 0;
      boolean isFiltered = random.nextBoolean();
      boolean isGlobal = random.nextInt(4) == 0;
      LoaderOptions made =
          LoaderOptions.defaults()
              .batchSize(1 + random.nextInt(7))
              .seed(random.nextInt(100))
              .shuffle(
                  isGlobal
                      ? (isMixed || random.nextBoolean() ? Shuffle.global() : Shuffle.torch())
                      : switch (random.nextInt(4)) {
                        case 0 -> Shuffle.none();
                        case 1 -> Shuffle.splits();
                        case 2 -> Shuffle.window(1 + random.nextInt(40));
                        default ->
                            new Shuffle.Window(8 + random.nextInt(40), 2 + random.nextInt(3));
                      });
      this.world = 1 + random.nextInt(3);
      this.mayBeOpen = isFiltered && !isMixed && !isGlobal;
      this.options = made;
      Filter filter = Filter.col("c1").ne(3);
      Set<Integer> all = Set.of(0, 1, 2, 3, 4);
      StructuredDataset whole =
          isMixed
              ? null
              : isFiltered ? dataset(all, hasDeletes).filter(filter) : dataset(all, hasDeletes);
      if (whole == null) {
        StructuredDataset one = dataset(Set.of(0, 1, 2), hasDeletes);
        StructuredDataset other = dataset(Set.of(3, 4), hasDeletes);
        whole =
            new StructuredDataset(
                Mixture.of(isFiltered ? one.filter(filter) : one, 1 + random.nextInt(3))
                    .and(other, 1 + random.nextInt(3))
                    .stop(Mixture.Stop.ALL));
      }
      this.dataset = whole.columns("c0");
      for (int file = 0; file < FILES.length; file++) {
        boolean isTested = isFiltered && (!isMixed || file < 3);
        numbers(file, hasDeletes).stream()
            .filter(row -> !isTested || row * 7 % 5 != 3)
            .forEach(matching::add);
      }
      this.left = new HashSet<>(matching);
    }

    private List<DataLoader> loaders() {
      return IntStream.range(0, world)
          .mapToObj(rank ->
              DataLoader.of(
                  dataset, options.rank(new Rank(rank, world)).workers(random.nextInt(3))))
          .toList();
    }

    /// Starts the ranks of a world, from where the last one stopped.
    void start() {
      loaders = loaders();
      for (int rank = 0; rank < world && !states.isEmpty(); rank++) {
        int of = states.size() == world ? rank : random.nextInt(states.size());
        LoaderState state = random.nextBoolean() ? LoaderState.merge(states) : states.get(of);
        loaders.get(rank).resume(LoaderState.parse(state.toJson()));
      }
      iterators = loaders.stream().map(DataLoader::iterator).toList();
    }

    void stop() {
      states = loaders.stream().map(DataLoader::state).toList();
      loaders.forEach(DataLoader::close);
    }

    private static List<Long> rows(Batch batch) {
      try (batch) {
        return LongStream.range(0, batch.rowCount())
            .mapToObj(row -> batch.tensor("c0").getLong(row))
            .toList();
      }
    }

    /// Returns what all ranks receive from now on, step by step.
    private List<List<Long>> rest(List<EpochIterator<Batch>> from) {
      List<List<Long>> steps = new ArrayList<>();
      boolean isEnd = false;
      while (!isEnd) {
        List<Long> step = new ArrayList<>();
        List<Boolean> more = from.stream().map(EpochIterator::hasNext).distinct().toList();
        assertThat(more).as("more batches, on each rank").hasSize(1);
        isEnd = !more.getFirst();
        if (!isEnd) {
          from.forEach(each -> step.addAll(rows(each.next())));
          steps.add(step);
        }
      }
      return steps;
    }

    /// Returns the same of other loaders that go on from here.
    private List<List<Long>> resumed() {
      List<DataLoader> others = loaders();
      for (int rank = 0; rank < world; rank++) {
        others.get(rank).resume(LoaderState.parse(loaders.get(rank).state().toJson()));
      }
      List<List<Long>> steps = rest(others.stream().map(DataLoader::iterator).toList());
      others.forEach(DataLoader::close);
      return steps;
    }

    private void receive(List<Long> rows) {
      for (long row : rows) {
        assertThat(left.remove(row)).as("row " + row + " is due").isTrue();
      }
    }

    private boolean deliver(int steps) {
      for (int step = 0; step < steps; step++) {
        if (random.nextBoolean()) {
          iterators.forEach(EpochIterator::isReady);
        }
        List<Boolean> more = iterators.stream().map(EpochIterator::hasNext).distinct().toList();
        assertThat(more).as("more batches, on each rank").hasSize(1);
        if (!more.getFirst()) {
          return false;
        }
        iterators.forEach(each -> receive(rows(each.next())));
      }
      return true;
    }

    private long batches() {
      return loaders.getFirst().state().batches();
    }

    private boolean isSkipAhead; // in a world of which nobody knows the rows of steps

    private boolean hasSkips() {
      return loaders.getFirst().state().toJson().contains("skips");
    }

    private void skip() {
      long now = batches();
      long from = Math.max(0, now - 2 + random.nextInt(8));
      Steps steps = new Steps(from, from + random.nextInt(5));
      List<List<Long>> coming = resumed();
      if (hasSkips()) { // what comes is numbered without the steps that are skipped already
        return;
      }
      for (int step = 0; step < coming.size(); step++) {
        if (steps.contains(now + step)) {
          coming.get(step).forEach(left::remove);
        }
      }
      loaders.forEach(each -> each.skip(steps));
      isSkipAhead |= mayBeOpen && world == 1;
    }

    private void exclude() {
      List<Long> numbers = new ArrayList<>();
      ExcludedRows rows = ExcludedRows.of(List.of());
      for (int i = random.nextInt(4); i >= 0; i--) {
        int file = random.nextInt(FILES.length);
        int row = random.nextInt(FILES[file]);
        long number = row + IntStream.range(0, file).mapToLong(each -> FILES[each]).sum();
        boolean isThere = !hasDeletes || !isDeleted(row);
        rows =
            rows.and(
                isThere && random.nextBoolean()
                    ? ExcludedRows.keys("c0", List.of(number))
                    : ExcludedRows.row("part-" + file + ".parquet", row));
        if (isThere) {
          numbers.add(number);
        }
      }
      excluded.addAll(numbers);
      left.removeAll(numbers);
      for (DataLoader each : loaders) {
        each.exclude(rows);
      }
    }

    void run() {
      start();
      boolean isGoing = true;
      for (int turn = random.nextInt(8); turn > 0 && isGoing; turn--) {
        switch (random.nextInt(4)) {
          case 0 -> skip();
          case 1 -> {
            // Before the first batch it is the steps of another order that are skipped.
            boolean isSkipOfAll = batches() == 0 && hasSkips();
            if (!isSkipAhead && !isSkipOfAll) {
              exclude();
            }
          }
          case 2 -> {
            stop();
            isGoing = states.getFirst().epoch() == 0;
            world = isSkipAhead || random.nextInt(3) == 0 ? world : 1 + random.nextInt(3);
            if (isGoing) {
              start();
            }
          }
          default -> {
            isGoing = deliver(random.nextInt(10)) && loaders.getFirst().state().epoch() == 0;
            if (!isGoing) {
              stop();
            }
          }
        }
      }
      if (isGoing) {
        List<List<Long>> expected = resumed();
        List<List<Long>> rest = rest(iterators);
        assertThat(rest).as("the rest").isEqualTo(expected);
        rest.forEach(this::receive);
        stop();
      }
      assertThat(left).as("left at the end").isEmpty();
      nextEpoch();
    }

    private void nextEpoch() {
      left = new HashSet<>(matching);
      left.removeAll(excluded);
      start();
      assertThat(iterators.getFirst().epoch()).isEqualTo(1);
      if (random.nextBoolean()) {
        loaders.forEach(each -> each.setEpoch(1));
      }
      List<List<Long>> all = rest(iterators);
      all.forEach(this::receive);
      assertThat(left).as("left in the next epoch").isEmpty();
      if (!mayBeOpen) {
        assertThat(loaders.getFirst().batchesPerEpoch()).isEqualTo(all.size());
      }
      loaders.forEach(DataLoader::close);
    }
  }

  @Seeded(runs = 300)
  void allOtherRowsComeOnce(Random random) {
    new Run(random).run();
  }

  private static final Set<Integer> ALL = Set.of(0, 1, 2, 3, 4);

  private static DataLoader loader(UnaryOperator<LoaderOptions> change) {
    return DataLoader.of(
        dataset(ALL, false), change.apply(LoaderOptions.defaults().batchSize(10).workers(2)));
  }

  private static List<Long> rest(EpochIterator<Batch> batches) {
    List<Long> rows = new ArrayList<>();
    batches.forEachRemaining(batch -> rows.addAll(Run.rows(batch)));
    return rows;
  }

  private static List<Long> numbers(int... ranges) {
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < ranges.length; i += 2) {
      LongStream.range(ranges[i], ranges[i + 1]).forEach(numbers::add);
    }
    return numbers;
  }

  @Test
  void skippedStepsCountForTheStateButNotForTheStatistics() {
    try (DataLoader loader = loader(o -> o)) {
      EpochIterator<Batch> batches = loader.iterator();
      assertThat(Run.rows(batches.next())).isEqualTo(numbers(0, 10));
      loader.skip(new Steps(0, 3));
      loader.skip(new Steps(3, 4));
      assertThat(Run.rows(batches.next())).isEqualTo(numbers(40, 50));
      assertThat(loader.state().batches()).isEqualTo(5);
      assertThat(loader.state().toJson()).contains("\"skips\":[[1,4]]");
      assertThat(loader.stats().batches()).isEqualTo(2);
      assertThat(loader.stats().rows()).isEqualTo(20);
    }
  }

  @Test
  void nothingComesBehindTheLastStepThatIsNotSkipped() {
    try (DataLoader loader = loader(o -> o)) {
      EpochIterator<Batch> batches = loader.iterator();
      loader.skip(new Steps(15, 1_000_000));
      assertThat(rest(batches)).isEqualTo(numbers(0, 150));
      assertThat(loader.state().epoch()).isEqualTo(1);
      assertThat(loader.state().toJson()).doesNotContain("skips");
    }
  }

  @Test
  void resultsOfSkippedStepsAreClosed() {
    AtomicInteger closed = new AtomicInteger();
    try (CollatedLoader<AutoCloseable> loader =
        loader(o -> o)
            .collate(batch -> {
              batch.close();
              return closed::incrementAndGet;
            })) {
      EpochIterator<AutoCloseable> results = loader.iterator();
      loader.skip(new Steps(2, 5));
      int received = 0;
      for (; results.hasNext(); received++) {
        results.next();
      }
      assertThat(received).isEqualTo(14);
      assertThat(closed).hasValue(3);
    }
  }

  @Test
  void stepsWithoutAnOrderCannotBeSkipped() {
    try (DataLoader loader = loader(o -> o.inOrder(false))) {
      assertThatThrownBy(() -> loader.skip(Steps.of(3)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "Cannot skip steps: batches have no order here. Leave out inOrder(false) and"
                  + " splitPerWorker(true).");
      assertThatThrownBy(() -> loader.exclude(ExcludedRows.keys("c0", List.of(3))))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("Cannot exclude rows: batches have no order here.");
    }
  }

  @Test
  void openIteratorGoesOnWithoutExcludedRows() {
    try (DataLoader loader = loader(o -> o)) {
      EpochIterator<Batch> batches = loader.iterator();
      assertThat(Run.rows(batches.next())).isEqualTo(numbers(0, 10));
      loader.exclude(
          ExcludedRows.keys("c0", List.of(3, 12)).and(ExcludedRows.row("part-1.parquet", 0)));
      assertThat(rest(batches)).isEqualTo(numbers(10, 12, 13, 40, 41, ROWS));
      assertThat(loader.batchesPerEpoch()).isEqualTo(17);
      assertThat(loader.rowsPerEpoch()).hasValue(ROWS - 3);
      assertThat(rest(loader.iterator())).isEqualTo(numbers(0, 3, 4, 12, 13, 40, 41, ROWS));
    }
  }

  @Test
  void stateDecidesWhatIsExcluded() {
    try (DataLoader loader = loader(o -> o)) {
      LoaderState before = loader.state();
      loader.exclude(ExcludedRows.keys("c0", List.of(3)));
      loader.resume(before);
      assertThat(rest(loader.iterator())).isEqualTo(numbers(0, ROWS));
    }
  }

  @Test
  void rowsThatAreNotThereAreRefused() {
    try (DataLoader loader = loader(o -> o)) {
      assertThatThrownBy(() -> loader.exclude(ExcludedRows.keys("id", List.of(3))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Cannot exclude rows by column 'id': there is no such column.");
      assertThatThrownBy(() -> loader.exclude(ExcludedRows.keys("c0", List.of(3, 169))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Cannot exclude rows: no row has {c0=169}. Leave it out.");
      assertThatThrownBy(() -> loader.exclude(ExcludedRows.row("art-1.parquet", 0)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(
              "Cannot exclude row 0 of file 'art-1.parquet': there is no such file.");
      assertThatThrownBy(() -> loader.exclude(ExcludedRows.row("part-1.parquet", 1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("it has rows [0, 1).");
      assertThat(loader.state().toJson()).doesNotContain("excluded");
    }
  }

  @Test
  void compositionLeavesRowsOutFromTheStartOfAnEpoch() {
    try (DataLoader loader = loader(o -> o.compose(Composition.groups("c0")))) {
      Set<Long> all = new TreeSet<>(numbers(0, ROWS));
      assertThat(new TreeSet<>(rest(loader.iterator()))).isEqualTo(all);
      loader.exclude(ExcludedRows.keys("c0", List.of(3)).and(ExcludedRows.keys("c0", List.of(50))));
      all.removeAll(List.of(3L, 50L));
      EpochIterator<Batch> batches = loader.iterator();
      List<Long> rows = new ArrayList<>(Run.rows(batches.next()));
      long steps = loader.batchesPerEpoch();
      assertThatThrownBy(() -> loader.exclude(ExcludedRows.keys("c0", List.of(5))))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "Cannot exclude rows behind batch 1 of epoch 1: a composition makes others of them."
                  + " Exclude them before the first batch of an epoch, and skip the steps that have"
                  + " them in this one.");
      rows.addAll(rest(batches));
      assertThat(loader.stats().batches()).isEqualTo(steps);
      assertThat(new TreeSet<>(rows)).isEqualTo(all);
      assertThat(rows).hasSameSizeAs(all);
    }
  }

  @Test
  void worldOfWhichNobodyKnowsTheRowsOfStepsStaysUntilSkippedOnesAreBehind() {
    LoaderState state;
    StructuredDataset filtered = dataset(ALL, false).filter(Filter.col("c1").ne(3));
    try (DataLoader loader = DataLoader.of(filtered, o -> o.batchSize(10).workers(1))) {
      loader.iterator().next().close();
      loader.skip(new Steps(2, 4));
      state = loader.state();
    }
    try (DataLoader other =
        DataLoader.of(filtered, o -> o.batchSize(10).workers(1).rank(new Rank(0, 2)))) {
      other.resume(state);
      assertThatThrownBy(other::iterator)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "Cannot deal the rest of the epoch anew behind batch 1: the steps [2..4] are to be"
                  + " skipped, and which rows they have shows only when they are read. Resume with"
                  + " 1 rank until these are behind.");
    }
  }

  @Test
  void stateWithTwentySkipsAndAHundredExcludedKeysIsSmall() {
    try (DataLoader loader = loader(o -> o)) {
      for (int i = 0; i < 20; i++) {
        loader.skip(new Steps(4_700 + 200 * i, 4_800 + 200 * i));
      }
      LoaderState state = loader.state();
      String keys =
          LongStream.range(0, 100)
              .mapToObj(i -> "[" + (123_456_789 + 1_000_003 * i) + "]")
              .collect(Collectors.joining(","));
      String json =
          state.toJson().replaceFirst("}$", "")
              + ",\"excluded\":[{\"columns\":[\"c0\"],\"values\":["
              + keys
              + "],\"epoch\":0,\"batches\":0}]}";
      LoaderState both = LoaderState.parse(json);
      assertThat(both.toJson()).isEqualTo(json).hasSizeLessThan(2_048);
      loader.resume(both); // rows may have been deleted since
      assertThat(rest(loader.iterator())).isEqualTo(numbers(0, ROWS));
      assertThatThrownBy(() -> LoaderState.merge(List.of(state, both)))
          .hasMessageStartingWith("Cannot merge states: the excluded rows are [] in one but");
      loader.resume(LoaderState.parse(json.replace("\"skips\":[[4700", "\"skips\":[[4699")));
      assertThatThrownBy(() -> LoaderState.merge(List.of(loader.state(), both)))
          .hasMessageStartingWith("Cannot merge states: the steps to skip are [4699..4800,");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"skips\":[[3,3]]",
        "\"skips\":[[3,4],[4,5]]",
        "\"skips\":[[3]]",
        "\"skips\":[[-1,3]]",
        "\"excluded\":[{\"columns\":[\"c0\"],\"values\":[[1,2]],\"epoch\":0,\"batches\":0}]",
        "\"excluded\":[{\"columns\":[\"c0\"],\"values\":[[[]]],\"epoch\":0,\"batches\":0}]",
        "\"excluded\":[{\"file\":\"a\",\"rows\":[-1],\"epoch\":0,\"batches\":0}]",
        "\"excluded\":[{\"file\":\"a\",\"rows\":[1],\"epoch\":0,\"batches\":7}]",
        "\"excluded\":[{\"file\":\"a\",\"rows\":[1],\"epoch\":0,\"batches\":7,\"legs\":1}]",
        "\"excluded\":[{\"file\":\"a\",\"rows\":[1],\"epoch\":1,\"batches\":0}]",
      })
  void stateThatSaysItWronglyIsRefused(String wrong) {
    try (DataLoader loader = loader(o -> o)) {
      String json = loader.state().toJson().replaceFirst("}$", "," + wrong + "}");
      assertThatThrownBy(() -> LoaderState.parse(json))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Cannot read a loader's state:");
    }
  }
}
