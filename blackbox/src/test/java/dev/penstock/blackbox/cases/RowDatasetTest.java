package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.penstock.DataLoader;
import dev.penstock.RowDataset;
import dev.penstock.SampleLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.BatchBuilder;
import dev.penstock.batch.NullValueException;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.RowColumns;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.files.FaultStorage;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.format.LossyCastException;
import dev.penstock.format.MalformedFileException;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Rows by number: what is read for them, what can go wrong, and what is left behind.
class RowDatasetTest extends OwnFolder {
  private FaultStorage.Site site;

  @BeforeEach
  void openSite() {
    site = FaultStorage.over(path);
  }

  @AfterEach
  void storeHasNoOpenFiles() {
    assertThat(site.openFiles()).isZero();
  }

  private StructuredDataset faulty() {
    return new StructuredDataset(site.location());
  }

  private static Object id(RowDataset rows, long row) throws IOException {
    return rows.get(row).get("id");
  }

  @Test
  void rowsAreThoseOfTheResolvedTable() throws IOException {
    folder.write("k=1/a.parquet", Folder.ID, Folder.ids(0, 5));
    Schema more =
        Schema.of(
            List.of(
                new Field("x", new DataType.Utf8(), true),
                new Field("id", new DataType.Int(32, true), false)));
    folder.write("k=2/a.parquet", more, List.of(List.of("a", 5), Arrays.asList(null, 6)));
    StructuredDataset dataset =
        folder
            .dataset()
            .hivePartitions()
            .missingColumns(MissingColumns.nulls().withDefault("x", "none"))
            .cast("id", DataType.float64())
            .columns("k", "x", "id");
    try (DataLoader loader = DataLoader.of(dataset, o -> o.workers(0).output(OutputFormat.MAP));
        RowDataset rows = dataset.openRows()) {
      List<List<Object>> expected = Delivery.ofEpoch(loader).rows();
      assertThat(expected).hasSize(7).contains(List.of(2L, "a", 5.0), List.of(1L, "none", 4.0));
      for (int i = 0; i < 7; i++) {
        assertThat(new ArrayList<>(rows.get(i).values())).isEqualTo(expected.get(i));
      }
    }
  }

  /// One row group of 40,000 rows: numbers, texts, and lists of 4 numbers in pages of version 1.
  private StructuredDataset large() throws IOException {
    Schema schema =
        Schema.of(
            List.of(
                new Field("id", new DataType.Int(64, true), false),
                new Field("text", new DataType.Utf8(), false),
                new Field("list", new DataType.List(new DataType.Floating(64), false), false)));
    List<List<Object>> rows = new ArrayList<>();
    for (long i = 0; i < 40_000; i++) {
      double first = 4 * i;
      rows.add(List.of(i, "text " + i, List.of(first, first + 1, first + 2, first + 3)));
    }
    MessageType message = ParquetFiles.message(schema);
    try (var writer =
        WrongFilesTest.writer(folder.part(0), message)
            .withPageRowCountLimit(1000)
            .withDictionaryEncoding(false)
            .build()) {
      for (List<Object> row : rows) {
        writer.write(ParquetFiles.group(message, schema, row));
      }
    }
    return folder.dataset();
  }

  @Test
  void rowCostsThePagesOfItsBlock() throws IOException {
    StructuredDataset dataset = large();
    long bytes = dataset.files().getFirst().bytes();
    // Small blocks, so that what is read are pages and nothing else to speak of.
    try (RowDataset rows = dataset.openRows("1")) {
      for (long row : new long[] {39_999, 20_000, 31_234, 15_000}) {
        long before = rows.stats().bytesRead();
        Map<String, Object> read = rows.get(row);
        assertThat(read)
            .containsEntry("id", row)
            .containsEntry("text", "text " + row)
            .containsEntry("list", IntStream.range(0, 4).mapToObj(i -> 4.0 * row + i).toList());
        assertThat(rows.stats().bytesRead() - before).isLessThan(bytes / 10);
      }
      long[] all = new Random(3).longs(500, 0, 40_000).toArray();
      assertThat(rows.getAll(all))
          .extracting(row -> row.get("id"))
          .containsExactlyElementsOf(LongStream.of(all).boxed().toList());
    }
    try (RowDataset rows = dataset.columns("id", "text").openRows("1")) {
      rows.get(20_000);
      assertThat(rows.stats().bytesRead()).isLessThan(bytes / 15);
    }
  }

  @Test
  void rowsOfABadPageFailAndNoOthers() throws IOException {
    long offset =
        WrongFilesTest.writePages(folder.part(0), true, CompressionCodecName.UNCOMPRESSED);
    WrongFilesTest.flip(folder.part(0), offset, 1);
    try (RowDataset rows = folder.dataset().openRows()) {
      for (long row : new long[] {0, 399, 500, 999}) {
        assertThat(id(rows, row)).isEqualTo(row);
      }
      assertThat(rows.getAll(new long[] {999, 1, 399, 1}))
          .extracting(row -> row.get("id"))
          .containsExactly(999L, 1L, 399L, 1L);
      for (long row : new long[] {400, 499}) {
        for (Throwable thrown :
            List.of(
                catchThrowable(() -> rows.get(row)),
                catchThrowable(() -> rows.getAll(new long[] {900, row, 3})))) {
          assertThat(thrown)
              .isInstanceOf(MalformedFileException.class)
              .hasMessageContaining("checksum")
              .hasMessageContaining(folder.part(0) + ", row " + row);
        }
      }
    }
  }

  @Test
  void valueThatIsLostNamesItsRow() throws IOException {
    folder.write("a.parquet", Folder.ID, List.of(List.of(1L), List.of(1L << 40), List.of(3L)));
    try (RowDataset rows = folder.dataset().cast("id", DataType.int32()).openRows()) {
      assertThat(id(rows, 2)).isEqualTo(3);
      assertThatThrownBy(() -> rows.getAll(new long[] {0, 2, 1}))
          .isInstanceOf(LossyCastException.class)
          .hasMessageEndingWith("a.parquet, row 1]");
    }
  }

  @Test
  void nullThatHasNoPlaceInABatchNamesItsRow() throws IOException {
    Schema schema = Schema.of(List.of(new Field("n", new DataType.Int(32, true), true)));
    folder.write("a.parquet", schema, List.of(List.of(1), List.of(2)));
    folder.write("b.parquet", schema, List.of(List.of(3), Arrays.asList((Object) null)));
    try (RowDataset rows = folder.dataset().openRows();
        Arena arena = Arena.ofConfined();
        BatchBuilder builder =
            new BatchBuilder(
                bytes -> new BatchBuilder.Piece(arena.allocate(bytes, 64), () -> {}))) {
      List<Map<String, Object>> read = rows.getAll(new long[] {0, 3, 2});
      assertThat(read).extracting(row -> row.get("n")).containsExactly(1, null, 3);
      assertThatThrownBy(() -> ((RowColumns) read).addTo(builder))
          .isInstanceOf(UncheckedIOException.class)
          .hasCauseInstanceOf(NullValueException.class)
          .hasMessage(
              "Cannot batch column 'n': row 1 is null and its type has no place for one. Use a"
                  + " collator of your own, which is given null. ["
                  + path.resolve("b.parquet")
                  + ", row 1]");
    }
  }

  @Test
  void readThatFailsOnceFailsNoLaterOne() throws IOException {
    folder.counting(new int[] {100}, new int[] {100});
    try (RowDataset rows = faulty().openRows()) {
      site.onRead(_ -> {
        throw new IOException("The network is gone.");
      });
      assertThatThrownBy(() -> rows.get(150))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("row 50 of " + site.location() + "/part-1.parquet")
          .hasMessageContaining("The network is gone.");
      assertThatThrownBy(() -> rows.getAll(new long[] {7, 150}))
          .hasMessageContaining("row 7 of " + site.location() + "/part-0.parquet");
      site.onRead(_ -> {});
      assertThat(id(rows, 150)).isEqualTo(150L);
      site.onOpen(_ -> {
        throw new IOException("The file is gone.");
      });
      assertThat(id(rows, 151)).as("kept").isEqualTo(151L);
      assertThatThrownBy(() -> rows.get(3)).hasMessageContaining("The file is gone.");
      site.onOpen(_ -> {});
    }
  }

  @Test
  void rowForWhichThereIsNoMemoryIsNamed() throws IOException {
    folder.counting(new int[] {100});
    try (RowDataset rows = faulty().openRows()) {
      site.onRead(_ -> {
        throw new OutOfMemoryError("Java heap space");
      });
      assertThatThrownBy(() -> rows.get(50))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("row 50 of " + site.location() + "/part-0.parquet")
          .hasMessageContaining("Java heap space");
      site.onRead(_ -> {});
      assertThat(id(rows, 50)).isEqualTo(50L);
    }
  }

  @Test
  void changedFileIsNamed() throws IOException {
    folder.counting(new int[] {100});
    StructuredDataset dataset = folder.dataset();
    try (RowDataset rows = dataset.openRows()) {
      folder.counting(new int[] {90});
      assertThatThrownBy(() -> rows.get(3))
          .isInstanceOf(MalformedFileException.class)
          .hasMessageContaining(folder.part(0).toString())
          .hasMessageContaining("when the dataset was planned");
    }
  }

  @Test
  void otherBlocksAreReadWhileOneIsSlow() throws Exception {
    folder.counting(new int[] {100}, new int[] {100});
    FaultStorage.Gate gate = new FaultStorage.Gate();
    try (RowDataset rows = faulty().openRows()) {
      site.onRead(location -> {
        if (location.text().endsWith("part-0.parquet")) {
          gate.check(location);
        }
      });
      FutureTask<Object> slow = new FutureTask<>(() -> id(rows, 5));
      Thread.ofPlatform().start(slow);
      gate.awaitArrival();
      assertThat(id(rows, 105)).isEqualTo(105L);
      assertThat(rows.getAll(new long[] {199, 100})).hasSize(2);
      FutureTask<Object> waiting = new FutureTask<>(() -> id(rows, 6));
      Thread.ofPlatform().start(waiting);
      gate.open();
      assertThat(slow.get()).isEqualTo(5L);
      assertThat(waiting.get()).isEqualTo(6L);
      assertThat(rows.stats().blocksRead()).isEqualTo(2);
    }
  }

  @Test
  void closeWaitsForAReadUnderWayAndFreesWhatItUsed() throws Exception {
    folder.counting(new int[] {100});
    FaultStorage.Gate gate = new FaultStorage.Gate();
    RowDataset rows = faulty().openRows();
    site.onRead(gate);
    FutureTask<Object> slow = new FutureTask<>(() -> id(rows, 5));
    Thread.ofPlatform().start(slow);
    gate.awaitArrival();
    FutureTask<Void> closing = new FutureTask<>(rows::close, null);
    Thread closer = Thread.ofPlatform().start(closing);
    while (closer.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThatThrownBy(() -> rows.get(5))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot read rows: they are closed. Open them again.");
    gate.open();
    closing.get();
    assertThat(slow.get()).isEqualTo(5L);
    assertThat(rows.stats().memoryBytes()).isZero();
    assertThat(site.openFiles()).isZero();
  }

  @Test
  void loaderVisitsEveryRowOnceInTheOrderOfItsSampler() throws IOException {
    folder.counting(new int[] {300, 200}, new int[] {0, 500});
    try (RowDataset rows = folder.dataset().openRows("4KiB");
        SampleLoader<Map<String, Object>, Batch> loader =
            DataLoader.of(rows, o -> o.batchSize(64).shuffle(true).workers(2))) {
      List<List<Long>> epochs = new ArrayList<>();
      for (int epoch = 0; epoch < 2; epoch++) {
        List<Long> ids = new ArrayList<>();
        for (Batch batch : loader) {
          try (batch) {
            LongStream.of((long[]) batch.tensor("id").toArray()).forEach(ids::add);
          }
        }
        assertThat(ids)
            .isNotEqualTo(LongStream.range(0, 1000).boxed().toList())
            .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 1000).boxed().toList());
        epochs.add(ids);
      }
      assertThat(epochs.get(0)).isNotEqualTo(epochs.get(1));
    }
  }
}
