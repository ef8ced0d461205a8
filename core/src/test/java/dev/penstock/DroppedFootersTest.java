package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.Batch;
import dev.penstock.internal.table.FooterRoom;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.Shuffle;
import dev.penstock.testing.MemoryStorage;
import dev.penstock.testing.MemoryStorage.Request;
import dev.penstock.testing.TestTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageTypeParser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A remote table none of whose footers are kept: four files of 100 rows; row `i` of all has `i` in
/// `c0`.
class DroppedFootersTest {
  private static final int FILES = 4;
  private static final int ROWS = 100;

  private final MemoryStorage.Site site = MemoryStorage.site();
  @TempDir private Path folder;

  @BeforeEach
  void writeFiles() throws IOException {
    for (int f = 0; f < FILES; f++) {
      site.put(f + ".parquet", parquet(f * ROWS));
    }
    FooterRoom.none();
  }

  @AfterEach
  void endSite() {
    FooterRoom.usual();
    site.remove();
  }

  private byte[] parquet(int first) throws IOException {
    List<@Nullable Object> values =
        new ArrayList<>(LongStream.range(first, first + ROWS).boxed().toList());
    TestTables.Table table =
        new TestTables.Table(
            Schema.of(List.of(new Field("c0", DataType.int64(), false))),
            MessageTypeParser.parseMessageType("message table { required int64 c0; }"),
            List.of(values),
            ROWS);
    Path path = folder.resolve(first + ".parquet");
    CompressionCodecName codec = CompressionCodecName.UNCOMPRESSED;
    TestTables.write(
        table, new TestTables.Layout(codec, false, false, 1 << 20, ROWS, ROWS / 4, false), path);
    return Files.readAllBytes(path);
  }

  private StructuredDataset dataset() {
    return new StructuredDataset(site.location());
  }

  private static DataLoader loader(
      StructuredDataset dataset, UnaryOperator<LoaderOptions> options) {
    return DataLoader.of(dataset, options.apply(LoaderOptions.defaults().batchSize(ROWS)));
  }

  private static long[] numbers(Batch batch) {
    return (long[]) batch.tensor("c0").toArray();
  }

  private static List<Long> epoch(DataLoader loader) {
    List<Long> all = new ArrayList<>();
    for (Batch batch : loader) {
      try (batch) {
        LongStream.of(numbers(batch)).forEach(all::add);
      }
    }
    return all;
  }

  private static boolean isFooter(Request request) {
    return request.range().offset() == 0; // the files are small: their ends are all of them
  }

  @Test
  void theOrderIsThatOfKeptFooters() {
    for (int workers = 0; workers < 3; workers++) {
      for (Shuffle shuffle : List.of(Shuffle.none(), Shuffle.splits(), Shuffle.window(150))) {
        int count = workers;
        List<List<Long>> epochs = new ArrayList<>();
        for (boolean isKept : new boolean[] {true, false}) {
          if (isKept) {
            FooterRoom.usual();
          } else {
            FooterRoom.none();
          }
          try (DataLoader loader =
              loader(
                  dataset().where("c0 < 90 or c0 > 150"),
                  o -> o.workers(count).shuffle(shuffle).seed(7))) {
            epochs.add(epoch(loader));
          }
        }
        assertThat(epochs.get(1)).isEqualTo(epochs.get(0)).hasSize(90 + 249);
      }
    }
  }

  @Test
  void aFooterOfALaterRunStopsNobody() {
    StructuredDataset dataset = dataset();
    assertThat(dataset.files()).hasSize(FILES);
    CountDownLatch first = new CountDownLatch(1);
    site.fault(request -> {
      if (!request.location().name().equals("0.parquet")) {
        try {
          first.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException(e);
        }
      }
    });
    try (DataLoader loader = loader(dataset, o -> o.workers(1))) {
      List<Long> all = new ArrayList<>();
      for (Batch batch : loader) {
        try (batch) {
          LongStream.of(numbers(batch)).forEach(all::add);
        }
        first.countDown();
      }
      assertThat(all).isEqualTo(LongStream.range(0, FILES * ROWS).boxed().toList());
    }
  }

  @Test
  void aLoaderThatIsClosedWaitsForNoFooter() {
    StructuredDataset dataset = dataset();
    assertThat(dataset.files()).hasSize(FILES);
    CountDownLatch never = new CountDownLatch(1);
    site.fault(request -> {
      if (!request.location().name().equals("0.parquet")) {
        try {
          never.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException(e);
        }
      }
    });
    try (DataLoader loader = loader(dataset, o -> o.workers(1))) {
      try (EpochIterator<Batch> epoch = loader.iterator();
          Batch batch = epoch.next()) {
        assertThat(numbers(batch)).hasSize(ROWS);
      }
    }
  }

  @Test
  void aFileThatChangedAfterPlanningIsAnError() throws IOException {
    StructuredDataset dataset = dataset();
    assertThat(dataset.files()).hasSize(FILES);
    site.put("2.parquet", parquet(7));
    try (DataLoader loader = loader(dataset, o -> o.workers(1))) {
      assertThatThrownBy(() -> epoch(loader)).hasStackTraceContaining("2.parquet");
    }
  }

  @Test
  void aFilterReadsFootersAnew() {
    StructuredDataset dataset = dataset().where("c0 >= 250");
    assertThat(dataset.files()).hasSize(FILES);
    site.requests().clear();
    try (DataLoader loader = loader(dataset, o -> o.workers(0))) {
      assertThat(epoch(loader)).isEqualTo(LongStream.range(250, 400).boxed().toList());
    }
    assertThat(site.requests().stream().filter(DroppedFootersTest::isFooter).count())
        .isGreaterThanOrEqualTo(FILES);
  }
}
