package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.Loader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.StringEncoding;
import dev.penstock.blackbox.files.FaultStorage;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.blackbox.files.RowsFormat;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.compose.Composition;
import dev.penstock.data.IterableDataset;
import dev.penstock.data.MapDataset;
import dev.penstock.data.Sharing;
import dev.penstock.data.WorkerInfo;
import dev.penstock.options.IterableOptions;
import dev.penstock.options.LoaderOptions;
import dev.penstock.options.MapOptions;
import dev.penstock.sample.Sampler;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.RoundRobinSplitStrategy;
import dev.penstock.split.Split;
import dev.penstock.split.SplitStrategy;
import dev.penstock.transform.Transform;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.PrimitiveIterator;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whatever code of the user throws, wherever it is called and with any number of workers, is the
/// direct cause of the exception that the caller gets, which is of a public class.
class UserErrorsContractTest {
  private static final int ROWS = 40;
  private static final SplitStrategy DEALT = new RoundRobinSplitStrategy();

  @TempDir static Path path;
  private static FaultStorage.Site site;

  /// Cannot be made anew: its constructor is not public.
  private static final class Odd extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /// Throws what is set.
  private static final class Bomb {
    private final Throwable thrown;

    Bomb(Throwable thrown) {
      this.thrown = thrown;
    }

    /// Returns what was given, or not at all.
    <T> T or(T otherwise) {
      return Bomb.<T, RuntimeException>sneak(thrown, otherwise);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // so that it may be checked
    private static <T, X extends Throwable> T sneak(Throwable thrown, T otherwise) throws X {
      if (thrown != null) {
        throw (X) thrown;
      }
      return otherwise;
    }
  }

  private interface Use {
    void run(int workers, Bomb bomb) throws Exception;
  }

  enum Place {
    GET((workers, bomb) -> objects(workers, bomb::or)),
    GET_ALL((workers, bomb) ->
        map(
            new Rows() {
              @Override
              public List<Long> getAll(long[] indices) {
                return bomb.or(LongStream.of(indices).boxed().toList());
              }
            },
            MapOptions.<Long>defaults().workers(workers).batchSize(2))),
    SIZE_AT_THE_START((workers, bomb) -> {
      int[] asked = {0};
      Rows rows =
          new Rows() {
            @Override
            public long size() {
              return asked[0]++ < 1 ? ROWS : bomb.or(ROWS);
            }
          };
      map(rows, MapOptions.<Long>defaults().workers(workers));
    }),
    ITERATOR((workers, bomb) ->
        iterable(
            () -> bomb.or(LongStream.range(0, ROWS).iterator()),
            IterableOptions.<Long>defaults().workers(workers))),
    ROW_OF_AN_ITERATOR((workers, bomb) ->
        iterable(
            () -> LongStream.range(0, ROWS).boxed().map(bomb::or).iterator(),
            IterableOptions.<Long>defaults().workers(workers))),
    SOURCE((workers, bomb) ->
        iterable(
            Sharing.byFile(List.of("a", "b"), _ -> bomb.or(LongStream.of(1).iterator())),
            IterableOptions.<Long>defaults().workers(workers))),
    WORKER_INIT((workers, bomb) ->
        map(
            new Rows(),
            MapOptions.<Long>defaults()
                .workers(Math.max(1, workers))
                .workerInit((WorkerInfo _) -> bomb.or(0)))),
    COLLATE_ROWS((workers, bomb) ->
        consume(DataLoader.of(new Rows(), o -> o.workers(workers).collate((_, _) -> bomb.or(1))))),
    SAMPLER((workers, bomb) ->
        map(
            new Rows(),
            MapOptions.<Long>defaults()
                .workers(workers)
                .sampler(sampler(() -> bomb.or(LongStream.range(0, ROWS).iterator()))))),
    INDEX_OF_A_SAMPLER((workers, bomb) ->
        map(
            new Rows(),
            MapOptions.<Long>defaults()
                .workers(workers)
                .sampler(sampler(() -> LongStream.range(0, ROWS).map(bomb::or).iterator())))),
    BATCH_SAMPLER((workers, bomb) ->
        map(
            new Rows(),
            MapOptions.<Long>defaults()
                .workers(workers)
                .batchSampler(() -> bomb.or(Stream.of(new long[1]).iterator())))),
    TRANSFORM((workers, bomb) -> files(options(workers).transform(atRows(bomb)))),
    TRANSFORM_ASKED_FOR_ITS_COLUMNS(
        (workers, bomb) -> files(options(workers).transform((block, _) -> bomb.or(block)))),
    TRANSFORM_OF_A_COUNTING_PASS((workers, bomb) ->
        files(options(workers).transform(atRows(bomb)).compose(Composition.draws("id")))),
    TRANSFORM_OF_A_VOCABULARY((workers, bomb) ->
        files(options(workers).transform(atRows(bomb)).strings("name", StringEncoding.codes()))),
    COLLATE((workers, bomb) ->
        consume(
            DataLoader.of(dataset(), options(workers))
                .collate(batch -> {
                  try (batch) {
                    return bomb.or(1);
                  }
                }))),
    BLOCKS((workers, bomb) ->
        dataset().blocks(options(workers)).mapBlocks(List.of("id"), _ -> bomb.or(1))),
    STRATEGY((workers, bomb) ->
        consume(DataLoader.of(dataset().splitStrategy(strategy(bomb)), options(workers)))),
    STRATEGY_OF_A_PLAN((workers, bomb) -> {
      var _ = dataset().splitStrategy(strategy(bomb)).plan(options(workers), 0);
    }),
    STRATEGY_ASKED_FOR_ITS_ORDER((workers, bomb) ->
        consume(DataLoader.of(dataset().splitStrategy(ordered(bomb)), options(workers)))),
    STORE_THAT_OPENS((workers, bomb) -> {
      site.onOpen(_ -> bomb.or(0));
      extension(workers);
    }),
    STORE_THAT_READS((workers, bomb) -> {
      site.onRead(_ -> bomb.or(0));
      extension(workers);
    }),
    FORMAT_THAT_DECODES((workers, bomb) -> {
      site.onDecode(_ -> bomb.or(0));
      extension(workers);
    });

    @SuppressWarnings("ImmutableEnumChecker") // uses have no state
    private final Use use;

    Place(Use use) {
      this.use = use;
    }
  }

  private static class Rows implements MapDataset<Long> {
    @Override
    public long size() {
      return ROWS;
    }

    @Override
    public Long get(long index) throws IOException {
      return index;
    }
  }

  private static Sampler sampler(Supplier<PrimitiveIterator.OfLong> indices) {
    return new Sampler() {
      @Override
      public long size() {
        return ROWS;
      }

      @Override
      public PrimitiveIterator.OfLong iterator() {
        return indices.get();
      }
    };
  }

  private static SplitStrategy strategy(Bomb bomb) {
    return (files, count, epoch) -> bomb.or(DEALT.generate(files, count, epoch));
  }

  private static SplitStrategy ordered(Bomb bomb) {
    return new SplitStrategy() {
      @Override
      public List<Split> generate(List<DataFileInfo> files, int count, long epoch) {
        return DEALT.generate(files, count, epoch);
      }

      @Override
      public boolean keepsFileOrder() {
        return bomb.or(true);
      }
    };
  }

  private static Transform atRows(Bomb bomb) {
    return (block, _) -> block.rowCount() == 0 ? block : bomb.or(block);
  }

  private static LoaderOptions options(int workers) {
    return LoaderOptions.defaults().batchSize(10).workers(workers);
  }

  private static StructuredDataset dataset() {
    return new StructuredDataset(path.resolve("files").toString());
  }

  private static void files(LoaderOptions options) {
    consume(DataLoader.of(dataset(), options));
  }

  private static void extension(int workers) {
    consume(DataLoader.of(new StructuredDataset(site.location()), options(workers)));
  }

  private static void objects(int workers, Function<Long, Long> row) {
    map(
        new Rows() {
          @Override
          public Long get(long index) {
            return row.apply(index);
          }
        },
        MapOptions.<Long>defaults().workers(workers));
  }

  private static void map(MapDataset<Long> dataset, MapOptions<Long, ?> options) {
    consume(DataLoader.of(dataset, options));
  }

  private static void iterable(IterableDataset<Long> dataset, IterableOptions<Long, ?> options) {
    consume(DataLoader.of(dataset, options));
  }

  private static void consume(Loader<?> opened) {
    try (Loader<?> loader = opened;
        EpochIterator<?> epoch = loader.iterator()) {
      while (epoch.hasNext()) {
        if (epoch.next() instanceof AutoCloseable closeable) {
          close(closeable);
        }
      }
    }
  }

  private static void close(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @BeforeAll
  static void write() throws IOException {
    Schema columns =
        Schema.of(
            List.of(
                new Field("id", new DataType.Int(64, true), false),
                new Field("name", new DataType.Utf8(), false)));
    List<List<Object>> rows = new ArrayList<>();
    for (long i = 0; i < ROWS; i++) {
      rows.add(List.of(i, "name"));
    }
    new Folder(path.resolve("files")).write("a.parquet", columns, rows);
    Files.createDirectories(path.resolve("rows"));
    new RowsFormat()
        .write(
            path.resolve("rows"), Tables.counting(new int[] {20}, new int[] {20}), new Random(1));
    site = FaultStorage.over(path.resolve("rows"));
  }

  /// Returns what is thrown. Footers are read by threads that pass on what a store may throw.
  private static List<Throwable> errors(Place place) {
    boolean isAnyChecked = place != Place.STORE_THAT_OPENS && place != Place.STORE_THAT_READS;
    return List.of(
        new IllegalArgumentException("no sample"),
        new NoSuchElementException("no element"), // must not look like the end
        new Odd(),
        new UncheckedIOException(new FileNotFoundException("no carried file")),
        new FileNotFoundException("no file"),
        isAnyChecked ? new ClassNotFoundException("no class") : new EOFException("no byte"),
        new AssertionError("no truth"),
        new StackOverflowError());
  }

  /// Returns what has to be the cause: where one [UncheckedIOException] stands for another, what
  /// that one carries.
  private static Throwable expected(Throwable mine, Throwable thrown) {
    return mine instanceof UncheckedIOException carrier && thrown instanceof UncheckedIOException
        ? carrier.getCause()
        : mine;
  }

  private static boolean isPublic(Class<?> type) {
    return Modifier.isPublic(type.getModifiers()) && !type.getName().contains(".internal.");
  }

  @AfterEach
  void nothingIsLeft() {
    site.onOpen(_ -> {});
    site.onRead(_ -> {});
    site.onDecode(_ -> {});
    Leaks.assertNoThreads();
  }

  @ParameterizedTest
  @EnumSource
  void whatUsersCodeThrowsIsTheDirectCause(Place place) {
    for (int workers : Workers.COUNTS) {
      assertThat(catchThrowable(() -> place.use.run(workers, new Bomb(null)))).isNull();
      for (Throwable mine : errors(place)) {
        Throwable thrown = catchThrowable(() -> place.use.run(workers, new Bomb(mine)));
        assertThat(thrown)
            .as("%s workers: %s, thrown at %s", workers, mine, place)
            .isNotSameAs(mine)
            .cause()
            .isSameAs(expected(mine, thrown));
        assertThat(thrown.getMessage()).contains(Objects.requireNonNullElse(mine.getMessage(), ""));
        assertThat(isPublic(thrown.getClass())).as("%s", thrown.getClass()).isTrue();
      }
    }
  }
}
