package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.LocalCache;
import dev.penstock.StructuredDataset;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.files.FaultStorage;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.compose.Composition;
import dev.penstock.filter.Filter;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import dev.penstock.spi.catalog.CatalogFile;
import dev.penstock.spi.catalog.CatalogFiles;
import dev.penstock.spi.catalog.CatalogTable;
import dev.penstock.spi.catalog.Installed;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.LiveRows;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.storage.Location;
import dev.penstock.tck.Table;
import dev.penstock.testing.MemoryStorage;
import dev.penstock.testing.Seeded;
import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.Transform;
import dev.penstock.transform.TransformContext;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a composition makes of windows is counted once, as long as the cache has the counts.
class KeptCountsTest extends CacheFolders {
  private static final DataType INT64 = new DataType.Int(64, true);
  private static final DataType LIST = new DataType.List(INT64, false);

  /// Makes a list of the letters of each text, and counts how often it is called with rows.
  private static final class Letters implements Transform {
    private final AtomicInteger calls = new AtomicInteger();
    private final Optional<String> version;
    private final int more; // letters of each text

    Letters(Optional<String> version, int more) {
      this.version = version;
      this.more = more;
    }

    @Override
    public ColumnBlock apply(ColumnBlock block, TransformContext context) {
      if (block.rowCount() > 0) {
        calls.incrementAndGet();
      }
      String[] texts = block.strings("text");
      int[] ends = new int[texts.length + 1];
      for (int row = 0; row < texts.length; row++) {
        ends[row + 1] = ends[row] + Math.max(0, texts[row].length() + more);
      }
      int count = ends[texts.length];
      ColumnSlice values =
          ColumnSlice.fixed(INT64, count, 0, null, MemorySegment.ofArray(new long[count]));
      return block.with(
          new Field("letters", LIST, false),
          ColumnSlice.list(LIST, texts.length, 0, null, MemorySegment.ofArray(ends), values));
    }

    @Override
    public int rows() {
      return 16;
    }

    @Override
    public boolean keepsRows() {
      return true;
    }

    @Override
    public Optional<String> version() {
      return version;
    }
  }

  private record Epoch(long batches, List<Integer> bits, int passes) {}

  private final Letters letters = new Letters(Optional.of("1"), 0);
  private StructuredDataset plain;

  private static Schema schema() {
    return Schema.of(
        List.of(
            new Field("id", INT64, false),
            new Field("key", INT64, false),
            new Field("weight", new DataType.Floating(64), false),
            new Field("text", new DataType.Utf8(), false),
            new Field("list", LIST, true)));
  }

  private static Table rows(Random random) {
    List<Table.DataFile> made = new ArrayList<>();
    long id = 0;
    for (int file = 0; file < 2; file++) {
      List<List<List<Object>>> groups = new ArrayList<>();
      for (int rows : new int[] {70, 41}) {
        List<List<Object>> group = new ArrayList<>();
        for (int row = 0; row < rows; row++, id++) {
          List<Object> list =
              LongStream.range(0, random.nextInt(9)).<Object>mapToObj(each -> each).toList();
          group.add(List.of(id, id / 5, 0.5 + id % 3, "t".repeat(random.nextInt(9)), list));
        }
        groups.add(group);
      }
      made.add(new Table.DataFile("part-" + file, groups));
    }
    return new Table(schema(), made);
  }

  @BeforeEach
  void write() throws IOException {
    plain = new ParquetFiles().dataset(files, rows(new Random(7)), new Random(5));
  }

  private static LoaderOptions options(Composition how) {
    return LoaderOptions.defaults()
        .rank(Rank.SINGLE)
        .batchSize(9)
        .workers(2)
        .seed(3)
        .countMatches(true)
        .shuffle(Shuffle.window(60))
        .compose(how);
  }

  private LoaderOptions ofLetters() {
    return options(Composition.packs("letters", 8)).transform(letters);
  }

  private static Epoch epoch(StructuredDataset dataset, LoaderOptions options) {
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      long batches = loader.batchesPerEpoch();
      List<Integer> bits = Delivery.bitsOfEpoch(loader);
      assertThat(bits).hasSize((int) batches);
      return new Epoch(batches, bits, loader.stats().passes().size());
    }
  }

  private static Epoch without(Epoch counted) {
    return new Epoch(counted.batches(), counted.bits(), 0);
  }

  /// Checks that there is a count of what is asked for only once it was asked for.
  private void requireCountedAnew(StructuredDataset dataset, LoaderOptions options) {
    Epoch expected = epoch(dataset, options);
    assertThat(expected.passes()).isPositive();
    assertThat(epoch(cached(dataset), options)).isEqualTo(expected);
    assertThat(epoch(cached(dataset), options)).isEqualTo(without(expected));
  }

  static Stream<Composition> compositions() {
    return Stream.of(
        Composition.packs("list", 8),
        Composition.packs("list", 8).whole(),
        Composition.packs("list", 8).stream(),
        Composition.buckets("list"),
        Composition.buckets("list").tokens(40),
        Composition.groups("key"),
        Composition.windows("key", 3, 2),
        Composition.draws("weight"),
        Composition.draws("weight").numSamples(50));
  }

  @ParameterizedTest
  @MethodSource("compositions")
  void laterLoaderHasTheCountWithoutAPass(Composition how) {
    requireCountedAnew(plain, options(how));
    for (int workers = 0; workers < 4; workers++) {
      assertThat(epoch(cached(plain), options(how).workers(workers)).passes()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void countAsksNeitherTheStoreNorTheTransform(int workers) throws IOException {
    MemoryStorage.Site site = MemoryStorage.site().put(files);
    LoaderOptions options = ofLetters().workers(workers);
    Epoch expected = epoch(plain, options);
    letters.calls.set(0);
    for (boolean isFirst : new boolean[] {true, false}) {
      StructuredDataset remote = cached(new StructuredDataset(site.location()));
      site.requests().clear();
      try (DataLoader loader = DataLoader.of(remote, options)) {
        assertThat(loader.batchesPerEpoch()).isEqualTo(expected.batches());
        assertThat(loader.stats().passes().isEmpty()).isNotEqualTo(isFirst);
        assertThat(site.requests().isEmpty()).isNotEqualTo(isFirst);
        assertThat(letters.calls.get() > 0).isEqualTo(isFirst);
        assertThat(isFirst || Delivery.bitsOfEpoch(loader).equals(expected.bits())).isTrue();
      }
      letters.calls.set(0);
    }
  }

  @Test
  void ranksOfAllWorldsTakeOneCount() {
    epoch(cached(plain), ofLetters());
    for (int world = 1; world <= 3; world++) {
      for (int rank = 0; rank < world; rank++) {
        LoaderOptions options = ofLetters().rank(new Rank(rank, world));
        Epoch expected = epoch(plain, options);
        assertThat(epoch(cached(plain), options)).isEqualTo(without(expected));
      }
    }
  }

  @Test
  void runGoesOnWithAKeptCount() {
    List<Integer> expected = epoch(plain, ofLetters()).bits();
    epoch(cached(plain), ofLetters());
    for (int stop = 0; stop < expected.size(); stop += 3) {
      LoaderState state;
      try (DataLoader loader = DataLoader.of(cached(plain), ofLetters());
          var batches = loader.iterator()) {
        for (int i = 0; i < stop; i++) {
          batches.next().close();
        }
        state = LoaderState.parse(loader.state().toJson());
      }
      try (DataLoader loader = DataLoader.of(cached(plain), ofLetters())) {
        loader.resume(state);
        assertThat(Delivery.bitsOfEpoch(loader))
            .as("after %s batches", stop)
            .isEqualTo(expected.subList(stop, expected.size()));
        assertThat(loader.stats().passes()).isEmpty();
      }
    }
  }

  @Test
  void whateverDecidesTheCountCountsAnew() {
    requireCountedAnew(plain, ofLetters());
    requireCountedAnew(plain, ofLetters().transform(new Letters(Optional.of("2"), 0)));
    requireCountedAnew(plain, ofLetters().transform(letters, 8));
    requireCountedAnew(plain, ofLetters().shuffle(Shuffle.window(50)));
    requireCountedAnew(plain, ofLetters().shuffle(Shuffle.window(60).interleave(1)));
    requireCountedAnew(plain, ofLetters().shuffle(Shuffle.none()));
    requireCountedAnew(plain, ofLetters().compose(Composition.packs("letters", 9)));
    requireCountedAnew(plain, ofLetters().compose(Composition.packs("letters", 9).whole()));
    requireCountedAnew(plain.where("id > 30"), ofLetters());
    requireCountedAnew(plain.where("id > 31"), ofLetters());
    requireCountedAnew(plain.where("weight > 0.6"), ofLetters());
    requireCountedAnew(
        plain.castLossy("weight", new DataType.Int(32, true)).where("weight > 0.6"), ofLetters());
    requireCountedAnew(plain.columns("text", "id"), ofLetters());
    requireCountedAnew(plain, options(Composition.buckets("list")));
    requireCountedAnew(plain, options(Composition.buckets("list")).batchSize(8));
    requireCountedAnew(plain, options(Composition.buckets("list").tokens(30)));
    requireCountedAnew(plain, options(Composition.windows("key", 3, 1)));
    LoaderOptions packs = options(Composition.packs("list", 8));
    DataType narrow = new DataType.List(new DataType.Int(32, true), false);
    requireCountedAnew(plain, packs);
    requireCountedAnew(plain.cast("list", narrow), packs);
    requireCountedAnew(plain.castLossy("list", narrow), packs);
  }

  @Test
  void whatDecidesNothingTakesTheCount() {
    LoaderOptions neighbours = ofLetters().shuffle(Shuffle.window(60).interleave(1));
    epoch(cached(plain), neighbours);
    for (LoaderOptions other :
        List.of(neighbours.batchSize(4), neighbours.dropLast(true), neighbours.seed(4))) {
      assertThat(epoch(cached(plain), other)).isEqualTo(without(epoch(plain, other)));
    }
  }

  @Test
  void otherDefaultCountsAnew() throws IOException {
    csv("a.csv", "key,w\n1,2\n2,4\n");
    csv("b.csv", "key\n3\n");
    StructuredDataset both =
        new StructuredDataset(files.resolve("a.csv").toString(), files.resolve("b.csv").toString());
    for (long value : new long[] {1, 3}) {
      StructuredDataset filled =
          both.missingColumns(MissingColumns.error().withDefault("w", value));
      requireCountedAnew(filled, options(Composition.draws("w")));
    }
  }

  @Test
  void changedFileCountsAnew() throws IOException {
    requireCountedAnew(plain, ofLetters());
    new ParquetFiles().dataset(files, rows(new Random(8)), new Random(5));
    requireCountedAnew(new StructuredDataset(files.toString()), ofLetters());
  }

  @Test
  void withoutVersionsNoCountIsKept() {
    LoaderOptions unversioned = ofLetters().transform(new Letters(Optional.empty(), 0));
    StructuredDataset nameless = new StructuredDataset(FaultStorage.over(files).location());
    for (int i = 0; i < 2; i++) {
      assertThat(epoch(cached(plain), unversioned).passes()).isEqualTo(1);
      assertThat(epoch(cached(nameless), ofLetters()).passes()).isEqualTo(1);
    }
  }

  @Seeded(runs = 60)
  void flippedBitCostsAnotherCount(Random random) throws IOException {
    Epoch expected = epoch(cached(plain), ofLetters());
    List<Path> segments = disk.segments();
    Path segment = segments.get(random.nextInt(segments.size()));
    byte[] bytes = Files.readAllBytes(segment);
    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    Files.write(segment, bytes);
    for (int i = 0; i < 2; i++) {
      Logged.during(() ->
          assertThat(without(epoch(cached(plain), ofLetters()))).isEqualTo(without(expected)));
    }
    assertThat(epoch(cached(plain), ofLetters())).isEqualTo(without(expected));
    assertThat(disk.parts()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1, 8", "1, -3", "2, 8", "2, -3"})
  void wrongCountEndsTheEpochAndSaysWhatToClear(int world, int more) throws IOException {
    LoaderOptions options = ofLetters().rank(new Rank(0, world));
    keepTheCountOnly(options);
    LoaderOptions other = options.transform(new Letters(Optional.of("1"), more));
    assertThatThrownBy(() -> epoch(cached(plain), other))
        .hasMessageContaining(" rows or batches but gave ")
        .hasMessageContaining("'penstock cache " + cache + " --clear'");
    LocalCache.at(cache.toString()).clear();
    assertThat(epoch(cached(plain), other).passes()).isEqualTo(1);
  }

  /// Deletes all that the cache has but the segment with the count.
  private void keepTheCountOnly(LoaderOptions options) throws IOException {
    epoch(cached(plain), options);
    Map<String, byte[]> all = disk.contents();
    for (Map.Entry<String, byte[]> segment : all.entrySet()) {
      LocalCache.at(cache.toString()).clear();
      Files.write(cache.resolve(segment.getKey()), segment.getValue());
      try (DataLoader loader = DataLoader.of(cached(plain), options)) {
        assertThat(loader.batchesPerEpoch()).isPositive();
        if (loader.stats().passes().isEmpty()) {
          LocalCache.at(cache.toString()).clear();
          Files.write(cache.resolve(segment.getKey()), segment.getValue());
          return;
        }
      }
    }
    throw new AssertionError("No segment has the count.");
  }

  @Test
  void deletedRowsCountAnewAndBelongToTheVersionOfTheTable() throws IOException {
    epoch(cached(table("1", 0, Map.of())), ofLetters());
    assertThat(epoch(cached(table("1", 0, Map.of())), ofLetters()).passes()).isZero();
    requireCountedAnew(table("2", 5, Map.of()), ofLetters());
    requireCountedAnew(table("3", 9, Map.of()), ofLetters());
    requireCountedAnew(table("4", 9, Map.of()), ofLetters()); // maybe others
  }

  @Test
  void otherConstantOfACatalogCountsAnew() throws IOException {
    for (double weight : new double[] {1, 2}) {
      StructuredDataset constant = table("1", 0, Map.of("weight", Optional.of(weight)));
      requireCountedAnew(constant, options(Composition.draws("weight")));
      requireCountedAnew(constant.where("weight > 0.5"), ofLetters());
    }
  }

  /// A table of the files, in which some rows at the start of each were deleted.
  private StructuredDataset table(
      String version, long deleted, Map<String, Optional<Object>> constants) {
    LiveRows live =
        (_, metadata) ->
            deleted == 0
                ? Optional.empty()
                : Optional.of(RowSet.allBut(metadata.rowCount(), LongStream.range(0, deleted)));
    return new StructuredDataset(
        new CatalogTable() {
          @Override
          public String name() {
            return "table";
          }

          @Override
          public String version() {
            return version;
          }

          @Override
          public Schema schema() {
            return KeptCountsTest.schema();
          }

          @Override
          public CatalogFiles files(Optional<Filter> filter) throws IOException {
            Location folder = new Location(files.toString());
            Storage store = Installed.store(folder, StorageOptions.NONE);
            List<CatalogFile> listed = new ArrayList<>();
            for (FileEntry entry : store.list(folder)) {
              listed.add(
                  new CatalogFile(
                      entry,
                      store,
                      Installed.format("parquet"),
                      constants,
                      Optional.empty(),
                      Optional.of(live),
                      OptionalLong.empty()));
            }
            return new CatalogFiles(listed, List.of());
          }
        });
  }
}
