package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import dev.penstock.stats.Stage;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A row group is streamed: what the loader holds does not grow with it.
class MemoryTest {
  private static final int ROWS = 600_000;
  private static final long ROW_GROUP_BYTES = ROWS * 4 * 8L;

  @TempDir private static Path folder;

  /// One row group of four columns of doubles, 19 MB of them.
  @BeforeAll
  static void write() throws IOException {
    MessageType schema =
        MessageTypeParser.parseMessageType(
            "message m { required double a; required double b; required double c;"
                + " required double d; }");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(folder.resolve("one.parquet")))
            .withConf(new PlainParquetConfiguration())
            .withType(schema)
            .withRowGroupSize(1L << 30)
            .withDictionaryEncoding(false)
            .build()) {
      for (int row = 0; row < ROWS; row++) {
        SimpleGroup group = new SimpleGroup(schema);
        for (int column = 0; column < 4; column++) {
          group.add(column, row * 1.7 + column);
        }
        writer.write(group);
      }
    }
  }

  private static final int LISTS = 100_000;

  /// One row group of lists of 16 longs, 13 MB of them.
  ///
  /// @param spread how much longer than 16 every even list is, and shorter every odd one
  private static StructuredDataset lists(Path into, int spread) throws IOException {
    MessageType schema =
        MessageTypeParser.parseMessageType(
            "message m { required group c (LIST) { repeated group list { required int64 element; }"
                + " } }");
    Path file = into.resolve("lists.parquet");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withConf(new PlainParquetConfiguration())
            .withType(schema)
            .withRowGroupSize(1L << 30)
            .withDictionaryEncoding(false)
            .build()) {
      long value = 0;
      for (int row = 0; row < LISTS; row++) {
        SimpleGroup group = new SimpleGroup(schema);
        Group list = group.addGroup("c");
        for (int i = 0; i < 16 + (row % 2 == 0 ? spread : -spread); i++) {
          list.addGroup(0).add(0, value++);
        }
        writer.write(group);
      }
    }
    return new StructuredDataset(file.toString());
  }

  /// Uniform lists go straight to their batch; those that are so only on the average need memory of
  /// their own.
  @ParameterizedTest
  @CsvSource({"0, 0", "0, 1", "5, 0", "5, 1", "5, 2"})
  void listsTakeLessThanTheRowGroup(int spread, int workers, @TempDir Path into)
      throws IOException {
    StructuredDataset dataset = lists(into, spread);
    long sum = 0;
    try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(workers).batchSize(500))) {
      for (Batch batch : loader) {
        try (batch) {
          assertThat(batch.ragged("c").isUniform()).isEqualTo(spread == 0);
          Tensor values = batch.ragged("c").values();
          for (long i = 0; i < values.shape().dim(0); i++) {
            sum += values.getLong(i);
          }
        }
      }
      assertThat(loader.stats().memory().peakBytes()).isLessThan(LISTS * 16 * 8L);
      assertThat(loader.stats().rows()).isEqualTo(LISTS);
    }
    assertThat(sum).isEqualTo(16L * LISTS * (16L * LISTS - 1) / 2);
  }

  private static DataLoader loader(int workers) {
    StructuredDataset dataset = new StructuredDataset(folder.toString());
    assertThat(dataset.files().getFirst().rowGroups()).hasSize(1);
    return DataLoader.of(dataset, o -> o.workers(workers).batchSize(1000));
  }

  @Test
  void workerStopsFarFromTheRowGroupsEndWhenTheConsumerDoes() {
    try (DataLoader loader = loader(1)) {
      EpochIterator<Batch> epoch = loader.iterator();
      epoch.next().close();
      Thread worker =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().startsWith("penstock-worker"))
              .findFirst()
              .orElseThrow();
      // It waits for nothing but the consumer: then it is as far ahead as it may be.
      while (worker.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      assertThat(loader.stats().memory().bytes()).isLessThan(ROW_GROUP_BYTES / 2);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void wholeEpochTakesLessThanTheRowGroup(int workers) {
    try (DataLoader loader = loader(workers)) {
      long rows = 0;
      for (Batch batch : loader) {
        rows += batch.rowCount();
        batch.close();
      }
      assertThat(rows).isEqualTo(ROWS);
      assertThat(loader.stats().memory().peakBytes()).isLessThan(ROW_GROUP_BYTES / 2);
    }
  }

  /// As docs/guide/memory.md says. One worker cannot be through with its columns before the other:
  /// the batches ahead do not hold all rows.
  @ParameterizedTest
  @CsvSource({"16MiB, 2", "15MiB, 1"})
  void workersShareARowGroupWhereThereAreEightMegabytesForEach(String memory, int sharing) {
    try (DataLoader loader =
        DataLoader.of(
            new StructuredDataset(folder.toString()),
            o -> o.workers(2).batchSize(1000).memory(memory))) {
      for (Batch batch : loader) {
        batch.close();
      }
      assertThat(loader.stats().times().workers())
          .filteredOn(worker -> worker.times().nanos(Stage.DECODE) > 0)
          .hasSize(sharing);
    }
  }
}
