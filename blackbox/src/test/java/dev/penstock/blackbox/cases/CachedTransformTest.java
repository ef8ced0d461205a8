package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.LocalCache;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.NullPolicy;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.compose.Composition;
import dev.penstock.compose.Packs;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.tck.Table;
import dev.penstock.testing.Seeded;
import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.Transform;
import dev.penstock.transform.TransformContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a transform with a version makes is made once, as long as the cache has it.
class CachedTransformTest extends CacheFolders {
  private static final DataType INT64 = new DataType.Int(64, true);
  private static final DataType TEXT = new DataType.Utf8();

  /// Drops some rows, adds columns, and counts how often it is called with rows.
  private static final class Counting implements Transform {
    private final AtomicInteger calls = new AtomicInteger();
    private final Optional<String> version;

    Counting(String version) {
      this.version = Optional.of(version);
    }

    Counting() {
      this.version = Optional.empty();
    }

    @Override
    public ColumnBlock apply(ColumnBlock block, TransformContext context) {
      if (block.rowCount() > 0) {
        calls.incrementAndGet();
      }
      String[] texts = block.strings("text");
      boolean[] keep = new boolean[texts.length];
      int[] lengths = new int[texts.length];
      for (int row = 0; row < texts.length; row++) {
        lengths[row] = texts[row] == null ? -1 : texts[row].length();
        keep[row] = lengths[row] % 3 != 0;
      }
      return block.with("length", lengths).filter(keep);
    }

    @Override
    public int rows() {
      return 16;
    }

    @Override
    public Optional<String> version() {
      return version;
    }

    int takeCalls() {
      return calls.getAndSet(0);
    }
  }

  private StructuredDataset plain;

  @BeforeEach
  void write() throws IOException {
    Schema schema =
        Schema.of(
            List.of(
                new Field("id", INT64, false),
                new Field("text", TEXT, true),
                new Field("flag", new DataType.Bool(), true),
                new Field("list", new DataType.List(INT64, false), true)));
    List<Table.DataFile> made = new ArrayList<>();
    for (int file = 0; file < 2; file++) {
      made.add(Table.file(new Random(7 + file), schema, "part-" + file, 70, 41));
    }
    plain = new ParquetFiles().dataset(files, new Table(schema, made), new Random(5));
  }

  private static LoaderOptions options(Transform transform) {
    return LoaderOptions.defaults()
        .rank(Rank.SINGLE)
        .batchSize(9)
        .workers(2)
        .nulls(NullPolicy.mask())
        .transform(transform);
  }

  private static List<Integer> epoch(StructuredDataset dataset, LoaderOptions options) {
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      return Delivery.bitsOfEpoch(loader);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void laterEpochsAndLoadersDoNotCallIt(int workers) {
    Counting counting = new Counting("1");
    LoaderOptions options = options(counting).workers(workers);
    List<Integer> expected = epoch(plain, options);
    int once = counting.takeCalls();
    assertThat(once).isGreaterThan(10);
    try (DataLoader loader = DataLoader.of(cached(plain), options)) {
      assertThat(Delivery.bitsOfEpoch(loader)).isEqualTo(expected);
      assertThat(counting.takeCalls()).isEqualTo(once);
      assertThat(Delivery.bitsOfEpoch(loader)).isEqualTo(expected);
      assertThat(counting.takeCalls()).isZero();
      assertThat(loader.stats().read().cached()).isPositive();
    }
    assertThat(epoch(cached(plain), options)).isEqualTo(expected);
    assertThat(counting.takeCalls()).isZero();
  }

  @Test
  void itIsCalledEachTimeWithoutAVersion() {
    Counting counting = new Counting();
    for (int i = 0; i < 2; i++) {
      epoch(cached(plain), options(counting));
      assertThat(counting.takeCalls()).isPositive();
    }
  }

  @Test
  void anotherVersionMakesAllAnew() {
    Counting first = new Counting("1");
    epoch(cached(plain), options(first));
    int once = first.takeCalls();
    Counting second = new Counting("2");
    epoch(cached(plain), options(second));
    assertThat(second.takeCalls()).isEqualTo(once);
    epoch(cached(plain), options(first));
    assertThat(first.takeCalls()).isZero();
  }

  @Test
  void whatIsReadInAnotherWayIsMadeAnew() {
    Counting counting = new Counting("1");
    epoch(cached(plain), options(counting));
    counting.takeCalls();
    List<UnaryOperator<StructuredDataset>> others =
        List.of(
            each -> each.columns("text", "id"),
            each -> each.where("flag = true"),
            each -> each.castLossy("id", new DataType.Floating(64)));
    for (UnaryOperator<StructuredDataset> other : others) {
      List<Integer> expected = epoch(other.apply(plain), options(counting));
      int calls = counting.takeCalls();
      assertThat(epoch(cached(other.apply(plain)), options(counting))).isEqualTo(expected);
      assertThat(counting.takeCalls()).isEqualTo(calls);
      assertThat(epoch(cached(other.apply(plain)), options(counting))).isEqualTo(expected);
      assertThat(counting.takeCalls()).isZero();
    }
  }

  @Test
  void rowsThatAreTheSameInAnotherFileAreNotMadeAnew() throws IOException {
    Counting counting = new Counting("1");
    StructuredDataset one = csv("one.csv", "id,text\n1,a\n2,bb\n3,cc\n");
    List<Integer> expected = epoch(cached(one), options(counting));
    assertThat(counting.takeCalls()).isEqualTo(1);
    StructuredDataset two = csv("two.csv", "id,text\n1,a\n2,bb\n3,cc\n");
    assertThat(epoch(cached(two), options(counting))).isEqualTo(expected);
    assertThat(counting.takeCalls()).isZero();
    StructuredDataset changed = csv("two.csv", "id,text\n1,a\n2,bbbb\n3,cc\n");
    assertThat(epoch(cached(changed), options(counting))).isNotEqualTo(expected);
    assertThat(counting.takeCalls()).isEqualTo(1);
  }

  @Test
  void severalTransformsAreKeptIfAllHaveAVersion() {
    Counting counting = new Counting("1");
    Transform both = counting.andThen(new Counting("2"));
    epoch(cached(plain), options(both));
    counting.takeCalls();
    epoch(cached(plain), options(both));
    assertThat(counting.takeCalls()).isZero();
    Transform one = counting.andThen((block, _) -> block);
    epoch(cached(plain), options(one));
    counting.takeCalls();
    epoch(cached(plain), options(one));
    assertThat(counting.takeCalls()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void ranksCountAndReadWhatWasMadeOnce(int world) {
    Counting counting = new Counting("1");
    Packs packs = Composition.packs("list", 8);
    LoaderOptions options =
        options(counting).seed(3).shuffle(Shuffle.window(60)).compose(packs).batchSize(4);
    List<Integer> alone = epoch(plain, options);
    List<Integer> expected = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      expected.addAll(epoch(plain, options.rank(new Rank(rank, world))));
    }
    assertThat(world > 1 || expected.equals(alone)).isTrue();
    epoch(cached(plain), options);
    counting.takeCalls();
    List<Integer> found = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      found.addAll(epoch(cached(plain), options.rank(new Rank(rank, world))));
    }
    assertThat(found).isEqualTo(expected);
    assertThat(counting.takeCalls()).isZero();
  }

  @Test
  void stoppedRunGoesOnWithWhatIsKept() {
    Counting counting = new Counting("1");
    LoaderOptions options =
        options(counting).shuffle(Shuffle.window(60)).compose(Composition.packs("list", 8));
    List<Integer> expected = epoch(plain, options);
    epoch(cached(plain), options);
    counting.takeCalls();
    for (int stop = 0; stop < expected.size(); stop++) {
      LoaderState state;
      try (DataLoader loader = DataLoader.of(cached(plain), options);
          var batches = loader.iterator()) {
        for (int i = 0; i < stop; i++) {
          batches.next().close();
        }
        state = LoaderState.parse(loader.state().toJson());
      }
      try (DataLoader loader = DataLoader.of(cached(plain), options)) {
        loader.resume(state);
        assertThat(Delivery.bitsOfEpoch(loader))
            .as("after %s batches", stop)
            .isEqualTo(expected.subList(stop, expected.size()));
      }
    }
    assertThat(counting.takeCalls()).isZero();
  }

  @Test
  void errorsNameTheSameRowWhenItIsNotCalled() {
    Counting counting = new Counting("1");
    LoaderOptions options = options(counting).compose(Composition.packs("list", 2).whole());
    String message = failure(plain, options);
    assertThat(message).contains("row ");
    for (int i = 0; i < 2; i++) {
      assertThat(failure(cached(plain), options)).isEqualTo(message);
    }
  }

  private static String failure(StructuredDataset dataset, LoaderOptions options) {
    StringBuilder message = new StringBuilder();
    assertThatThrownBy(() -> epoch(dataset, options.workers(1)))
        .satisfies(failed -> message.append(failed.getMessage()));
    return message.toString();
  }

  @Seeded(runs = 60)
  void flippedBitCostsAnotherCall(Random random) throws IOException {
    Counting counting = new Counting("1");
    List<Integer> expected = epoch(plain, options(counting));
    epoch(cached(plain), options(counting));
    List<Path> segments = disk.segments();
    Path segment = segments.get(random.nextInt(segments.size()));
    byte[] bytes = Files.readAllBytes(segment);
    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    Files.write(segment, bytes);
    for (int i = 0; i < 2; i++) { // what was read before the damage is made anew later
      Logged.during(() -> assertThat(epoch(cached(plain), options(counting))).isEqualTo(expected));
    }
    counting.takeCalls();
    assertThat(epoch(cached(plain), options(counting))).isEqualTo(expected);
    assertThat(counting.takeCalls()).isZero();
    assertThat(disk.parts()).isEmpty();
  }

  @Test
  void cacheStaysWithinItsSizeAndIsListedUnderTheFiles() throws IOException {
    StringBuilder text = new StringBuilder("id,text\n");
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      text.append(i).append(',').append("x".repeat(random.nextInt(300))).append('\n');
    }
    StructuredDataset large = csv("large.csv", text.toString());
    LoaderOptions options = options(new Counting("1"));
    List<Integer> expected = epoch(large, options);
    for (int i = 0; i < 3; i++) {
      assertThat(epoch(large.cache(cache.toString(), "1MiB"), options)).isEqualTo(expected);
      assertThat(disk.bytes()).isBetween(1L << 18, 1L << 20);
    }
    assertThat(LocalCache.at(cache.toString()).files())
        .extracting(LocalCache.KeptFile::location)
        .containsOnly(files.resolve("large.csv").toString());
    assertThat(LocalCache.at(cache.toString()).check()).isEmpty();
  }
}
