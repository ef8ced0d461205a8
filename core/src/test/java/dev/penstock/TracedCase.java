package dev.penstock;

import dev.penstock.compose.Balance;
import dev.penstock.compose.Composition;
import dev.penstock.filter.Filter;
import dev.penstock.internal.slices.RowPart;
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
import dev.penstock.split.RankEnd;
import dev.penstock.split.Shuffle;
import dev.penstock.steps.StepRow;
import dev.penstock.storage.Location;
import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.Transform;
import dev.penstock.transform.TransformContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.jspecify.annotations.Nullable;

/// A random table, some of whose rows are deleted, and any way to deliver it. No row has the id of
/// another, and all else in a row follows from it: the tokens of row 7 are 7000, 7001 and so on.
///
/// @param stored by the name of a file, the ids of all rows that it stores
/// @param live the same without the deleted ones
/// @param isMixed whether a column `source` says which source of a mixture a row is from
/// @param isUntold whether a transform makes rows of several and does not tell of which
record TracedCase(
    StructuredDataset dataset,
    LoaderOptions options,
    Map<String, List<Long>> stored,
    Map<String, List<Long>> live,
    boolean isMixed,
    boolean isUntold) {
  /// What the order of the rows is made of.
  enum Way {
    FILES,
    GLOBAL,
    MIXTURE,
    COMPOSED,
    COMPOSED_MIXTURE,
    TRANSFORMED,
    APART
  }

  private static final MessageType MESSAGE =
      MessageTypeParser.parseMessageType(
          """
          message table {
            required int64 id; required int64 key; required double weight;
            required group tokens (LIST) { repeated group list { required int64 element; } }
          }\
          """);

  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field("id", DataType.int64(), false),
              new Field("key", DataType.int64(), false),
              new Field("weight", new DataType.Floating(64), false),
              new Field("tokens", new DataType.List(DataType.int64(), false), false)));

  /// Keeps rows.
  private static final Transform SAME =
      new Transform() {
        @Override
        public ColumnBlock apply(ColumnBlock block, TransformContext context) {
          return block.with("more", block.longs("id"));
        }

        @Override
        public boolean keepsRows() {
          return true;
        }
      };

  private static ColumnBlock untold(ColumnBlock block, TransformContext context) {
    ColumnBlock made = doubled(block, context);
    return new ColumnBlock(
        made.schema(), made.rowCount(), made.schema().names().stream().map(made::slice).toList());
  }

  private static ColumnBlock doubled(ColumnBlock block, TransformContext context) {
    int rows = 2 * block.rowCount();
    return block.take(IntStream.range(0, rows).map(i -> (rows - 1 - i) / 2).toArray());
  }

  private static ColumnBlock some(ColumnBlock block, TransformContext context) {
    boolean[] keep = new boolean[block.rowCount()];
    long[] ids = block.longs("id");
    for (int row = 0; row < keep.length; row++) {
      keep[row] = ids[row] % 3 != 0;
    }
    return block.filter(keep);
  }

  private static <T> T one(Random random, T[] of) {
    return of[random.nextInt(of.length)];
  }

  private static boolean isDeleted(long row) {
    return row >= 3 && hash(row) % 4 == 0;
  }

  private static long hash(long number) {
    return ((number + 1) * 0x9E3779B97F4A7C15L) >>> 40;
  }

  static int tokens(long id) {
    return (int) (hash(id) % 9);
  }

  static List<Long> tokens(long id, int from, int count) {
    return LongStream.range(from, from + count).mapToObj(i -> 1000 * id + i).toList();
  }

  /// Returns the ids of the rows that a part names.
  List<Long> ids(RowPart part) {
    return Objects.requireNonNull(live.get(part.origin().file().name()))
        .subList((int) part.origin().first(), (int) part.origin().end());
  }

  /// A batch that a rank received, and what its rows were made of.
  record Step(long number, int rank, List<List<RowPart>> rows) {}

  /// Returns delivered rows as they should be named.
  List<StepRow> rows(List<Step> steps, long epoch) {
    List<StepRow> all = new ArrayList<>();
    for (Step step : steps) {
      for (int place = 0; place < step.rows().size(); place++) {
        for (RowPart part : step.rows().get(place)) {
          List<Long> ids = ids(part);
          List<Long> own = Objects.requireNonNull(stored.get(part.origin().file().name()));
          all.add(
              new StepRow(
                  epoch,
                  step.number(),
                  step.rank(),
                  place,
                  isMixed ? OptionalLong.of(part.source()) : OptionalLong.empty(),
                  part.origin().file(),
                  own.indexOf(ids.getFirst()),
                  own.indexOf(ids.getLast()) + 1,
                  OptionalLong.empty(),
                  part.isWhole()
                      ? Optional.empty()
                      : Optional.of(new StepRow.Part(part.from(), part.count(), part.offset()))));
        }
      }
    }
    all.sort(Comparator.comparingLong(StepRow::step).thenComparingInt(StepRow::rank));
    return all;
  }

  static TracedCase random(Random random, Path folder, Way... ways) throws IOException {
    Way way = ways[random.nextInt(ways.length)];
    Map<String, List<Long>> stored = new HashMap<>();
    Map<String, List<Long>> live = new HashMap<>();
    boolean isMixed =
        way == Way.MIXTURE
            || way == Way.COMPOSED_MIXTURE
            || (way == Way.GLOBAL && random.nextInt(3) == 0);
    boolean isApart = way == Way.APART && random.nextBoolean();
    StructuredDataset dataset = table(random, way, folder, 0, stored, live);
    dataset = isApart ? dataset : filtered(random, dataset);
    if (isMixed) {
      StructuredDataset other =
          random.nextInt(3) == 0
              ? dataset // the files do not tell which of the two
              : filtered(random, table(random, way, folder, 1, stored, live));
      dataset =
          new StructuredDataset(
              Mixture.of(dataset, 1 + random.nextInt(3))
                  .and(other, 1)
                  .stop(one(random, Mixture.Stop.values()))
                  .sourceColumn("source"));
    }
    LoaderOptions options =
        LoaderOptions.defaults()
            .batchSize(way == Way.COMPOSED ? 15 : 1 + random.nextInt(30))
            .seed(random.nextLong())
            .workers(random.nextInt(4))
            .shuffle(shuffle(random, way, isMixed))
            .rankEnd(one(random, RankEnd.values()));
    if (random.nextInt(3) == 0) {
      options = options.countMatches(random.nextBoolean());
    }
    if (way == Way.APART) {
      options = isApart ? options.splitPerWorker(true) : options.inOrder(false);
    }
    Composition how = null;
    if (way == Way.COMPOSED || way == Way.COMPOSED_MIXTURE) {
      how = composition(random, isMixed);
      options = options.compose(how);
    } else {
      options = options.dropLast(random.nextInt(3) == 0);
    }
    boolean mayChange =
        way == Way.TRANSFORMED
            || (way == Way.COMPOSED && isOfAnyRows(how) && random.nextInt(3) == 0);
    boolean isUntold = mayChange && random.nextInt(3) == 0;
    if (mayChange) {
      Transform function =
          isUntold
              ? TracedCase::untold
              : random.nextBoolean() ? TracedCase::doubled : TracedCase::some;
      options = options.transform(function, 1 + random.nextInt(50));
    } else if (random.nextInt(4) == 0 && (how == null || isOfAnyRows(how))) {
      options = options.transform(SAME, 1 + random.nextInt(50));
    }
    return new TracedCase(dataset, options, stored, live, isMixed, isUntold);
  }

  private static boolean isOfAnyRows(@Nullable Composition how) {
    return how != null && (how.column().equals("tokens") || how.column().equals("weight"));
  }

  private static StructuredDataset filtered(Random random, StructuredDataset table) {
    return switch (random.nextInt(6)) {
      case 0 -> table.where("key < 8 or key between 14284 and 14292"); // statistics rule groups out
      case 1 -> table.where("weight >= 0.3");
      case 2 -> table.where("fold(id, 4, 1) != 0 or id = 2");
      default -> table;
    };
  }

  private static Shuffle shuffle(Random random, Way way, boolean isMixed) {
    if (way == Way.GLOBAL) {
      Shuffle.Passes passes = isMixed ? Shuffle.Passes.ONE : one(random, Shuffle.Passes.values());
      return isMixed || random.nextBoolean()
          ? Shuffle.global().passes(passes)
          : Shuffle.torch().passes(passes);
    }
    return switch (random.nextInt(4)) {
      case 0 -> Shuffle.none();
      case 1 -> Shuffle.splits();
      default -> Shuffle.window(1 + random.nextInt(80)).interleave(1 + random.nextInt(3));
    };
  }

  private static Composition composition(Random random, boolean isMixed) {
    return switch (random.nextInt(isMixed ? 4 : 10)) {
      case 0 -> Composition.buckets("tokens");
      case 1 -> Composition.buckets("tokens").tokens(9 + random.nextInt(100));
      case 2 -> Composition.packs("tokens", 9 + random.nextInt(20)).whole();
      case 3 -> Composition.packs("tokens", 1 + random.nextInt(20));
      case 4 -> Composition.groups("key");
      case 5 -> Composition.windows("key", 1 + random.nextInt(8), 1 + random.nextInt(4));
      case 6 -> Composition.buckets("tokens").balanced();
      case 7 -> Composition.packs("tokens", 1 + random.nextInt(20)).balanced();
      case 8 -> Composition.balanced("weight", Balance.DEFAULT.accumulate(1 + random.nextInt(3)));
      default -> Composition.draws("weight");
    };
  }

  private static StructuredDataset table(
      Random random,
      Way way,
      Path folder,
      int number,
      Map<String, List<Long>> stored,
      Map<String, List<Long>> live)
      throws IOException {
    Path own = Files.createDirectory(folder.resolve("table" + number));
    boolean hasDeletes = random.nextBoolean();
    long id = 100_000L * number;
    for (int file = 0; file < 1 + random.nextInt(3); file++) {
      String name = number + "-" + file + ".parquet";
      long[] ids = LongStream.range(id, id + 4 + random.nextInt(90)).toArray();
      id += ids.length;
      write(own.resolve(name), ids, 1 + random.nextInt(40));
      stored.put(name, LongStream.of(ids).boxed().toList());
      live.put(
          name,
          IntStream.range(0, ids.length)
              .filter(row -> !hasDeletes || !isDeleted(row))
              .mapToObj(row -> ids[row])
              .toList());
    }
    StructuredDataset dataset =
        hasDeletes ? withDeletes(own) : new StructuredDataset(own.toString());
    return way == Way.GLOBAL
        ? dataset.cache(folder.resolve("cache").toString(), "100MiB")
        : dataset;
  }

  static void write(Path file, long[] ids, int groupRows) throws IOException {
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withType(MESSAGE)
            .withConf(new PlainParquetConfiguration())
            .withRowGroupRowCountLimit(groupRows)
            .build()) {
      for (long id : ids) {
        Group row = new SimpleGroup(MESSAGE);
        row.add("id", id);
        row.add("key", id / 7);
        row.add("weight", hash(id) % 10 / 10.0);
        Group tokens = row.addGroup("tokens");
        tokens(id, 0, tokens(id)).forEach(each -> tokens.addGroup("list").add("element", each));
        writer.write(row);
      }
    }
  }

  static StructuredDataset withDeletes(Path folder) {
    LiveRows live =
        (_, metadata) ->
            Optional.of(
                RowSet.allBut(
                    metadata.rowCount(),
                    LongStream.range(0, metadata.rowCount()).filter(TracedCase::isDeleted)));
    return new StructuredDataset(
        new CatalogTable() {
          @Override
          public String name() {
            return folder.toString();
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
            Location location = new Location(folder.toString());
            Storage store = Installed.store(location, StorageOptions.NONE);
            List<CatalogFile> files = new ArrayList<>();
            for (FileEntry entry : store.list(location)) {
              files.add(
                  new CatalogFile(
                      entry,
                      store,
                      Installed.format("parquet"),
                      Map.of(),
                      Optional.empty(),
                      Optional.of(live),
                      OptionalLong.empty()));
            }
            return new CatalogFiles(files, List.of());
          }
        });
  }
}
