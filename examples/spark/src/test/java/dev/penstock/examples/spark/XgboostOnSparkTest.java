package dev.penstock.examples.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.DataLoader;
import dev.penstock.cli.demo.SampleFlights;
import dev.penstock.split.Rank;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.mapping.MappingUtil;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.types.Types;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Boosted trees over two ranks, beside those of one process.
@Timeout(120) // ranks that do not find each other keep XGBoost waiting
class XgboostOnSparkTest {
  private static final int ROUNDS = 10;
  private static final int ROWS = 225_000; // of the flights to train on

  private static SampleFlights flights;
  private static SparkContext spark;
  private static double alone;

  @TempDir Path folder;

  @BeforeAll
  static void trainAlone() throws Exception {
    flights = SampleFlights.extract();
    spark =
        new SparkContext(
            new SparkConf()
                .setAppName("xgboost")
                .setMaster("local[2]")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1"));
    try (DataLoader loader =
        XgboostOnSpark.loader(flights.trainingFolder().toString(), Rank.SINGLE)) {
      alone = auc(XgboostOnSpark.train(loader, ROUNDS));
    }
  }

  @AfterAll
  static void stop() {
    spark.stop();
    flights.close();
  }

  private static double auc(XgboostOnSpark.Trained trained) throws Exception {
    return XgboostOnSpark.auc(trained.model(), flights.heldOutFolder().toString());
  }

  private static void requireTheSame(String table) throws Exception {
    List<XgboostOnSpark.Trained> ranks = XgboostOnSpark.train(spark, table, 2, ROUNDS);

    assertThat(ranks)
        .extracting(XgboostOnSpark.Trained::rows)
        .containsExactly(ROWS / 2L, ROWS / 2L);
    assertThat(ranks.getFirst().model()).isEqualTo(ranks.getLast().model());
    assertThat(auc(ranks.getFirst())).isCloseTo(alone, within(0.001)).isGreaterThan(0.6);
  }

  private static List<Path> files() throws Exception {
    try (Stream<Path> files = Files.list(flights.trainingFolder())) {
      return files.sorted().toList();
    }
  }

  @Test
  void ranksOverParquetFilesFindTheTreesOfOneProcess() throws Exception {
    requireTheSame(flights.trainingFolder().toString());
  }

  @Test
  void ranksOverADeltaTableFindTheTreesOfOneProcess() throws Exception {
    StringBuilder log = new StringBuilder();
    log.append("{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":2}}\n")
        .append("{\"metaData\":{\"id\":\"flights\",\"format\":{\"provider\":\"parquet\",")
        .append("\"options\":{}},\"schemaString\":\"{\\\"type\\\":\\\"struct\\\",\\\"fields\\\":[")
        .append(field("date", "timestamp_ntz"))
        .append(',')
        .append(field("delay", "long"))
        .append(',')
        .append(field("distance", "long"))
        .append("]}\",\"partitionColumns\":[],\"configuration\":{}}}\n");
    for (Path file : files()) {
      Files.copy(file, folder.resolve(file.getFileName()));
      log.append("{\"add\":{\"path\":\"")
          .append(file.getFileName())
          .append("\",\"partitionValues\":{},\"size\":")
          .append(Files.size(file))
          .append(",\"modificationTime\":0,\"dataChange\":true}}\n");
    }
    Files.createDirectory(folder.resolve("_delta_log"));
    Files.writeString(folder.resolve("_delta_log/00000000000000000000.json"), log);

    requireTheSame(folder.toString());
  }

  private static String field(String name, String type) {
    return "{\\\"name\\\":\\\"%s\\\",\\\"type\\\":\\\"%s\\\",\\\"nullable\\\":true,\\\"metadata\\\":{}}"
        .formatted(name, type);
  }

  @Test
  void ranksOverAnIcebergTableFindTheTreesOfOneProcess() throws Exception {
    Schema schema =
        new Schema(
            Types.NestedField.optional(1, "date", Types.TimestampType.withoutZone()),
            Types.NestedField.optional(2, "delay", Types.LongType.get()),
            Types.NestedField.optional(3, "distance", Types.LongType.get()));
    Table table =
        new HadoopTables(new Configuration())
            .create(schema, PartitionSpec.unpartitioned(), folder.resolve("table").toString());
    table
        .updateProperties() // the files have no ids
        .set(
            TableProperties.DEFAULT_NAME_MAPPING,
            NameMappingParser.toJson(MappingUtil.create(schema)))
        .commit();
    AppendFiles append = table.newAppend();
    for (Path file : files()) {
      append.appendFile(
          DataFiles.builder(PartitionSpec.unpartitioned())
              .withPath(file.toString())
              .withFormat(FileFormat.PARQUET)
              .withFileSizeInBytes(Files.size(file))
              .withRecordCount(ROWS / files().size())
              .build());
    }
    append.commit();

    requireTheSame(folder.resolve("table").toString());
  }
}
