package dev.penstock.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.BatchIterator;
import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
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

  private static DataLoader loader(int workers) {
    StructuredDataset dataset = new StructuredDataset(folder.toString());
    assertThat(dataset.files().getFirst().rowGroups()).hasSize(1);
    return dataset.createDataLoader(o -> o.workers(workers).batchSize(1000));
  }

  @Test
  void workerStopsFarFromTheRowGroupsEndWhenTheConsumerDoes() {
    try (DataLoader loader = loader(1)) {
      BatchIterator epoch = loader.iterator();
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
      assertThat(loader.stats().memoryBytes()).isLessThan(ROW_GROUP_BYTES / 2);
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
      assertThat(loader.stats().peakMemoryBytes()).isLessThan(ROW_GROUP_BYTES / 2);
    }
  }
}
