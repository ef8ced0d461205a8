package dev.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Vocabulary;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;

/// Batches of Spark's rows, and of tables in Spark's tasks, compared with what Spark itself reads.
@Timeout(120)
class SparkBatchesTest {
  private static final HexFormat HEX = HexFormat.of();

  @TempDir static Path data;
  @TempDir static Path local;
  private static SparkSession spark;

  @BeforeAll
  static void start() throws IOException {
    Training.writeRows(data);
    spark =
        SparkSession.builder()
            .appName("batches")
            .master("local[2]")
            .config("spark.ui.enabled", false)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.local.dir", local.toString())
            .config("spark.sql.session.timeZone", "UTC")
            .getOrCreate();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /// Returns the column `id` of all batches.
  private static Iterator<Long> ids(DataLoader loader) {
    List<Long> ids = new ArrayList<>();
    for (Batch batch : loader) {
      try (batch) {
        ids.addAll(Training.rows(batch));
      }
    }
    return ids.iterator();
  }

  private static List<Path> filesInUse() throws IOException {
    try (Stream<Path> files = Files.walk(local)) {
      return files.filter(file -> file.getFileName().toString().startsWith("temp_local")).toList();
    }
  }

  @Test
  void eachRowIsInOneBatchOfItsPartition() throws IOException {
    Dataset<Row> rows = spark.range(0, 50_000, 1, 7).toDF();

    JavaRDD<Long> ids =
        SparkBatches.mapPartitions(
            rows,
            (partition, options) -> DataLoader.of(partition, options.batchSize(512).workers(1)),
            SparkBatchesTest::ids);

    assertThat(ids.getNumPartitions()).isEqualTo(7);
    assertThat(ids.collect()).isEqualTo(LongStream.range(0, 50_000).boxed().toList());
    assertThat(filesInUse()).isEmpty();
  }

  @Test
  void rowsOnDiskAreForTheUserOfTheTaskAlone() {
    assumeTrue(
        local.getFileSystem().supportedFileAttributeViews().contains("posix"),
        "files have no modes here");
    JavaRDD<String> modes =
        SparkBatches.mapPartitions(
            spark.range(0, 1000, 1, 1).toDF(),
            (rows, options) -> DataLoader.of(rows, options),
            _ -> {
              List<String> found = new ArrayList<>();
              for (Path file : filesInUse()) {
                found.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
              }
              return found.iterator();
            });
    assertThat(modes.collect()).containsExactly("rw-------");
  }

  @Test
  void batchesHaveTheirSizeAcrossWhatSparkWroteAtOnce() {
    JavaRDD<Integer> sizes =
        SparkBatches.mapPartitions(
            spark.range(0, 40_000, 1, 1).toDF(),
            (rows, options) -> DataLoader.of(rows, options.batchSize(3000)),
            loader -> {
              List<Integer> counts = new ArrayList<>();
              for (Batch batch : loader) {
                try (batch) {
                  counts.add(batch.rowCount());
                }
              }
              return counts.iterator();
            });

    List<Integer> expected = new ArrayList<>(Collections.nCopies(13, 3000));
    expected.add(1000);
    assertThat(sizes.collect()).isEqualTo(expected);
  }

  @Test
  void aPartitionWithoutRowsHasNoBatches() {
    Dataset<Row> rows = spark.range(0, 10, 1, 4).toDF().where("id > 100");

    assertThat(
            SparkBatches.mapPartitions(
                    rows,
                    (partition, options) -> DataLoader.of(partition, options),
                    SparkBatchesTest::ids)
                .collect())
        .isEmpty();
  }

  private static StructType everyType() {
    return new StructType()
        .add("truth", DataTypes.BooleanType)
        .add("tiny", DataTypes.ByteType)
        .add("small", DataTypes.ShortType)
        .add("int", DataTypes.IntegerType)
        .add("long", DataTypes.LongType)
        .add("float", DataTypes.FloatType)
        .add("double", DataTypes.DoubleType)
        .add("text", DataTypes.StringType)
        .add("bytes", DataTypes.BinaryType)
        .add("day", DataTypes.DateType)
        .add("moment", DataTypes.TimestampType)
        .add("price", DataTypes.createDecimalType(12, 3))
        .add("list", DataTypes.createArrayType(DataTypes.LongType))
        .add("map", DataTypes.createMapType(DataTypes.StringType, DataTypes.IntegerType));
  }

  private static Row randomRow(Random random) {
    @Nullable Object[] values = {
      random.nextBoolean(),
      (byte) random.nextInt(),
      (short) random.nextInt(),
      random.nextInt(),
      random.nextLong(),
      random.nextFloat(),
      random.nextGaussian(),
      "text " + random.nextInt(1000),
      new byte[] {(byte) random.nextInt(), 7},
      Date.valueOf(LocalDate.ofEpochDay(random.nextInt(20_000))),
      Timestamp.from(Instant.ofEpochSecond(random.nextInt(2_000_000_000), 123_456_000)),
      BigDecimal.valueOf(random.nextInt(), 3),
      random.longs(random.nextInt(4)).boxed().toList(),
      Map.of("a", random.nextInt())
    };
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(5) == 0 ? null : values[i];
    }
    return RowFactory.create(values);
  }

  /// What a row has, as texts that do not depend on who made its objects.
  private static String told(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case byte[] bytes -> HEX.formatHex(bytes);
      case Date day -> day.toLocalDate().toString();
      case Timestamp moment -> moment.toInstant().toString();
      case BigDecimal price -> price.toPlainString();
      case scala.collection.Seq<?> list -> told(CollectionConverters.asJava(list));
      case scala.collection.Map<?, ?> map ->
          told(List.copyOf(CollectionConverters.asJava(map).entrySet()));
      case List<?> list -> list.stream().map(SparkBatchesTest::told).toList().toString();
      case Map.Entry<?, ?> entry -> told(entry.getKey()) + "=" + told(entry.getValue());
      default -> value.toString();
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void allTypesAreReadAsSparkReadsThem(long seed) {
    Random random = new Random(seed);
    List<Row> made = Stream.generate(() -> randomRow(random)).limit(1000).toList();
    Dataset<Row> rows = spark.createDataFrame(made, everyType()).repartition(1);
    List<String> names = List.of(rows.columns());

    List<String> read =
        SparkBatches.mapPartitions(
                rows,
                (partition, options) ->
                    DataLoader.of(partition, options.batchSize(64).output(OutputFormat.MAP)),
                loader -> told(loader, names))
            .collect();

    List<String> expected =
        rows.collectAsList().stream()
            .map(row -> IntStream.range(0, names.size()).mapToObj(i -> told(row.get(i))).toList())
            .map(List::toString)
            .toList();
    assertThat(read).isEqualTo(expected);
  }

  private static Iterator<String> told(DataLoader loader, List<String> names) {
    List<String> rows = new ArrayList<>();
    for (Batch batch : loader) {
      try (batch) {
        for (int row = 0; row < batch.rowCount(); row++) {
          int at = row;
          rows.add(names.stream().map(name -> told(batch.list(name).get(at))).toList().toString());
        }
      }
    }
    return rows.iterator();
  }

  @Test
  void aLoaderThatIsNotReadToItsEndIsClosed() throws IOException {
    JavaRDD<Long> ids =
        SparkBatches.mapPartitions(
            spark.range(0, 100_000, 1, 1).toDF(),
            (rows, options) -> DataLoader.of(rows, options.batchSize(100).workers(1)),
            Firsts::new);

    assertThat(ids.take(3)).containsExactly(0L, 100L, 200L);
    assertThat(filesInUse()).isEmpty();
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().startsWith("penstock-worker"));
  }

  /// The first row of each batch, as they come.
  private record Firsts(Iterator<Batch> batches) implements Iterator<Long>, Serializable {
    Firsts(DataLoader loader) {
      this(loader.iterator());
    }

    @Override
    public boolean hasNext() {
      return batches.hasNext();
    }

    @Override
    public Long next() {
      try (Batch batch = batches.next()) {
        return batch.tensor("id").getLong(0);
      }
    }
  }

  @Test
  void aTaskThatFailsLeavesNoFile() throws IOException {
    JavaRDD<Long> ids =
        SparkBatches.mapPartitions(
            spark.range(0, 1000, 1, 1).toDF(),
            (rows, options) -> DataLoader.of(rows, options),
            loader -> {
              throw new IllegalStateException("power cut");
            });

    assertThatThrownBy(ids::collect).hasMessageContaining("power cut");
    assertThat(filesInUse()).isEmpty();
  }

  @Test
  void columnsThatShareANameAreRefused() {
    Dataset<Row> rows = spark.range(10).select(functions.col("id"), functions.col("id"));

    assertThatThrownBy(() ->
            SparkBatches.mapPartitions(
                rows,
                (partition, options) -> DataLoader.of(partition, options),
                SparkBatchesTest::ids))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two columns are named 'id'");
  }

  @Test
  void aLoaderThatDoesNotReadAllOfItsPartitionIsRefused() {
    JavaRDD<Long> ids =
        SparkBatches.mapPartitions(
            spark.range(10).toDF(),
            (rows, options) -> DataLoader.of(rows, LoaderOptions.defaults()),
            SparkBatchesTest::ids);

    assertThatThrownBy(ids::collect).hasMessageContaining("its loader has no rank");
  }

  /// Each partition has one text: by its own vocabulary all of them would have code 0.
  @Test
  void codesOfEachPartitionsOwnTextsAreRefused() {
    assertThatThrownBy(() ->
            codes((rows, o) -> DataLoader.of(rows, o.strings("text", StringEncoding.codes()))))
        .hasMessageContaining("Cannot give column 'text' codes: each partition would find");
    assertThat(
            codes((rows, o) -> {
              Vocabulary texts = Vocabulary.of("text 0", "text 1", "text 2", "text 3");
              return DataLoader.of(rows, o.strings("text", StringEncoding.codes(texts)));
            }))
        .containsExactly(0, 1, 2, 3);
  }

  private static List<Integer> codes(PartitionLoader loaders) {
    return SparkBatches.mapPartitions(
            spark.range(0, 4, 1, 4).selectExpr("concat('text ', id) AS text"),
            loaders,
            loader -> {
              try (Batch batch = loader.iterator().next()) {
                return List.of(batch.tensor("text").getInt(0)).iterator();
              }
            })
        .collect();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 16})
  void eachRowOfATableIsInOnePart(int partitions) {
    String folder = data.toString();

    JavaRDD<Long> ids =
        SparkBatches.mapTable(
            spark.sparkContext(),
            partitions,
            rank ->
                DataLoader.of(
                    new StructuredDataset(folder).where("id >= 100"),
                    LoaderOptions.defaults().batchSize(64).countMatches(false).rank(rank)),
            SparkBatchesTest::ids);

    assertThat(ids.getNumPartitions()).isEqualTo(partitions);
    assertThat(ids.collect()).isEqualTo(LongStream.range(100, Training.ROWS).boxed().toList());
  }

  /// A task of Spark then has several parts, and its number is none of theirs.
  @Test
  void partsThatAreJoinedKeepTheirRows() throws IOException {
    String folder = data.toString();
    RankLoader loaders = rank -> Training.open(folder, rank);

    JavaRDD<Long> table =
        SparkBatches.mapTable(spark.sparkContext(), 8, loaders, SparkBatchesTest::ids);
    List<Long> once = table.collect();
    assertThat(once.stream().sorted().toList()).isEqualTo(Training.everyRow());
    assertThat(table.coalesce(3).collect()).isEqualTo(once);
    assertThat(table.union(table).collect())
        .isEqualTo(Stream.concat(once.stream(), once.stream()).toList());

    JavaRDD<Integer> files =
        SparkBatches.mapPartitions(
            spark.range(0, 700, 1, 7).toDF(),
            (rows, options) -> DataLoader.of(rows, options),
            loader -> {
              ids(loader);
              return List.of(filesInUse().size()).iterator();
            });
    assertThat(files.coalesce(1).collect()).as("one at a time").containsOnly(1).hasSize(7);
  }

  @Test
  void aPartOfATableHasItsRank() {
    String folder = data.toString();

    assertThatThrownBy(() ->
            SparkBatches.mapTable(
                    spark.sparkContext(),
                    2,
                    _ -> Training.open(folder, Rank.SINGLE),
                    SparkBatchesTest::ids)
                .collect())
        .hasMessageContaining("its loader has rank 0/1");
    assertThatThrownBy(() ->
            SparkBatches.mapTable(
                spark.sparkContext(),
                0,
                rank -> Training.open(folder, rank),
                SparkBatchesTest::ids))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be 1 or more, got 0");
  }

  @Test
  void theCodeOfTheGuideReadsAllRows() {
    double sum = LongStream.range(0, 10_000).mapToDouble(id -> id % 7 + id % 24).sum();

    assertThat(SparkSnippets.rows(spark).stream().mapToDouble(each -> each).sum()).isEqualTo(sum);
    assertThat(SparkSnippets.table(spark, data.toString())).hasSize(8);
    assertThat(SparkSnippets.table(spark, data.toString()).stream().mapToLong(each -> each).sum())
        .isEqualTo(Training.ROWS - 100L);
  }
}
