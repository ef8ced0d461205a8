package dev.penstock.blackbox.cases;

import static dev.penstock.blackbox.cases.CachedEpoch.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.RowDataset;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.contract.Leaks;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.transform.ColumnBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A loader that is closed has nothing of its cache open or mapped.
class CacheCloseTest extends CacheFolders {

  @BeforeEach
  void write() throws IOException {
    dataset = parquet(2);
    expected = rows(dataset);
  }

  /// Writes a Parquet table into the folder of the files.
  private StructuredDataset parquet(int files) throws IOException {
    ParquetFiles writer = new ParquetFiles();
    return writer.dataset(this.files, CacheTest.table(files, writer), new Random(5));
  }

  private StructuredDataset dataset;
  private List<List<Object>> expected;

  private void requireNothingLeft(DataLoader loader) {
    Leaks.assertNone(loader, folder);
    Leaks.assertNoMappings(folder);
    assertThat(disk.parts()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void nothingIsOpenOrMapped(int workers) {
    for (int run = 0; run < 2; run++) {
      DataLoader loader = DataLoader.of(cached(dataset), o -> o.workers(workers));
      try (loader) {
        for (int epoch = 0; epoch < 2; epoch++) {
          assertThat(Delivery.ofEpoch(loader).rows()).hasSameSizeAs(expected);
          Leaks.assertNoOpenFiles(cache);
          Leaks.assertNoMappings(cache);
        }
      }
      requireNothingLeft(loader);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void nothingIsOpenOrMappedIfItWasLeftInTheMiddle(int workers) {
    for (int run = 0; run < 3; run++) {
      for (int batches = 0; batches < 8; batches += 3) {
        DataLoader loader = DataLoader.of(cached(dataset), o -> o.workers(workers).batchSize(70));
        try (loader) {
          EpochIterator<Batch> left = loader.iterator();
          for (int i = 0; i < batches; i++) {
            left.next().close();
          }
        }
        requireNothingLeft(loader);
      }
    }
    assertThat(rows(cached(dataset))).isEqualTo(expected);
  }

  @Test
  void nothingIsOpenOrMappedAfterAnError() throws IOException {
    FileTime time = Files.getLastModifiedTime(files.resolve("part-1.parquet"));
    rows(cached(new StructuredDataset(files.resolve("part-0.parquet").toString())));
    DataLoader loader = DataLoader.of(cached(dataset), o -> o.workers(2));
    try (loader) {
      assertThat(loader.dataset().files()).hasSize(2);
      Files.setLastModifiedTime(
          files.resolve("part-1.parquet"), FileTime.from(time.toInstant().plusSeconds(9)));
      assertThatThrownBy(() -> Delivery.ofEpoch(loader)).hasMessageContaining("its version is");
    }
    requireNothingLeft(loader);
  }

  @Test
  void rowsByNumberLeaveNothingOpenOrMapped() throws IOException {
    for (int run = 0; run < 2; run++) {
      try (RowDataset rows = cached(dataset).openRows()) {
        assertThat(rows.get(700)).isNotEmpty();
      }
      Leaks.assertNoOpenFiles(folder);
      Leaks.assertNoMappings(folder);
      assertThat(disk.parts()).isEmpty();
    }
  }

  /// A worker that closes its loader goes on with its block, and frees the epoch.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void workerThatIsInUsersCodeStillHasItsBlock(boolean isFilled) throws Exception {
    if (isFilled) {
      rows(cached(dataset));
    }
    long sum = expected.stream().limit(200).mapToLong(row -> (Long) row.getFirst()).sum();
    List<DataLoader> self = new CopyOnWriteArrayList<>();
    List<Long> sums = new CopyOnWriteArrayList<>();
    List<Thread> workers = new CopyOnWriteArrayList<>();
    DataLoader loader =
        DataLoader.of(
            cached(dataset),
            o ->
                o.workers(1)
                    .transform(
                        (block, _) -> {
                          if (block.rowCount() > 0) {
                            workers.add(Thread.currentThread());
                            self.getFirst().close();
                            sums.add(sum(block));
                          }
                          return block;
                        },
                        200));
    self.add(loader);
    EpochIterator<Batch> epoch = loader.iterator();
    assertThatThrownBy(epoch::next).hasMessageContaining("closed");
    workers.getFirst().join();
    assertThat(sums).containsExactly(sum);
    requireNothingLeft(loader);
    assertThat(rows(cached(dataset))).isEqualTo(expected);
  }

  private static long sum(ColumnBlock block) {
    for (String name : block.schema().names()) {
      assertThat(block.slice(name).rowCount()).isEqualTo(200);
    }
    assertThat(block.strings("text")).hasSize(200);
    return LongStream.of(block.longs("id")).sum();
  }
}
