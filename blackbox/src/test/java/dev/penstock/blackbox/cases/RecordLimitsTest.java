package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.format.MemoryLimitException;
import dev.penstock.split.Rank;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a record or a block needs is part of the loader's memory, and has a limit of its own.
class RecordLimitsTest {
  private static final int MANY = 8 << 20;

  @TempDir private Path folder;

  private StructuredDataset text(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return new StructuredDataset(file.toString());
  }

  private StructuredDataset avro() throws IOException {
    Schema schema =
        SchemaBuilder.record("row").fields().requiredLong("n").requiredString("a").endRecord();
    Path file = folder.resolve("a.avro");
    try (DataFileWriter<Object> writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
      writer.setCodec(CodecFactory.bzip2Codec()).create(schema, file.toFile());
      GenericData.Record row = new GenericData.Record(schema);
      row.put("n", 7L);
      row.put("a", "y".repeat(MANY));
      writer.append(row);
    }
    assertThat(Files.size(file)).isLessThan(10_000);
    return new StructuredDataset(file.toString());
  }

  private static DataLoader loader(StructuredDataset dataset, String memory) {
    return DataLoader.of(dataset, o -> o.rank(Rank.SINGLE).workers(1).batchSize(1).memory(memory));
  }

  private static long read(StructuredDataset dataset, String memory) {
    long sum = 0;
    try (DataLoader loader = loader(dataset, memory)) {
      EpochIterator<Batch> epoch = loader.iterator();
      while (epoch.hasNext()) {
        try (Batch batch = epoch.next()) {
          sum += batch.tensor("n").getLong(0);
        }
      }
    }
    return sum;
  }

  /// The long values are not even wanted.
  @Test
  void recordsAndBlocksCountAsMemoryOfTheLoader() throws IOException {
    String many = "y".repeat(MANY);
    for (StructuredDataset dataset :
        new StructuredDataset[] {
          text("a.csv.gz", "n,a\n7," + many + "\n"),
          text("a.jsonl.gz", "{\"n\":7,\"a\":\"" + many + "\"}\n"),
          avro()
        }) {
      StructuredDataset number = dataset.columns("n");
      assertThatThrownBy(() -> read(number, "2MiB"))
          .isInstanceOfSatisfying(
              MemoryLimitException.class, e -> assertThat(e.leastBytes()).isGreaterThan(MANY))
          .hasMessageContaining(folder.toString());
      assertThat(read(number, "64MiB")).isEqualTo(7);
      StructuredDataset little = number.formatOption("max-record-bytes", "1000000");
      assertThatThrownBy(() -> read(little, "64MiB"))
          .hasMessageContaining("more than 1000000 bytes. Allow more by format option")
          .hasMessageContaining(folder.toString());
    }
  }

  /// A run that met a record that was too long goes on with a higher limit.
  @Test
  void stateIsGoodWithAnotherLimit() throws IOException {
    StructuredDataset dataset = text("b.csv.gz", "n\n1\n2\n" + " ".repeat(3_000) + "3\n4\n");
    StructuredDataset little =
        dataset.formatOption("sample-rows", "1").formatOption("max-record-bytes", "2000");
    LoaderState state;
    try (DataLoader loader = loader(little, "64MiB")) {
      EpochIterator<Batch> epoch = loader.iterator();
      epoch.next().close();
      state = loader.state();
      assertThatThrownBy(
              () -> {
                while (epoch.hasNext()) {
                  epoch.next().close();
                }
              })
          .hasMessageContaining("a record of more than 2000 bytes")
          .hasMessageContaining("line 4");
    }
    StructuredDataset more = little.formatOption("max-record-bytes", "4000");
    try (DataLoader loader = loader(more, "64MiB")) {
      loader.resume(state);
      EpochIterator<Batch> epoch = loader.iterator();
      for (long expected = 2; expected <= 4; expected++) {
        try (Batch batch = epoch.next()) {
          assertThat(batch.tensor("n").getLong(0)).isEqualTo(expected);
        }
      }
      assertThat(epoch.hasNext()).isFalse();
    }
  }
}
