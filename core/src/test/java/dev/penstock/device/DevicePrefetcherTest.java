package dev.penstock.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.Pinnable;
import dev.penstock.data.Datasets;
import dev.penstock.internal.cuda.FakeCuda;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60) // a slot that nobody gives back would be waited for without end
class DevicePrefetcherTest {
  private static final int ROWS = 1000;

  @TempDir static Path folder;

  @BeforeAll
  static void writeRows() throws IOException {
    List<String> lines = new ArrayList<>(List.of("id,name"));
    LongStream.range(0, ROWS).mapToObj(id -> id + ",n" + id).forEach(lines::add);
    Files.write(folder.resolve("rows.csv"), lines);
  }

  private static DataLoader loader() {
    return DataLoader.of(
        new StructuredDataset(folder.toString()), o -> o.batchSize(64).workers(2).pinMemory(true));
  }

  /// Reads a tensor when the training stream comes to it.
  private static void train(FakeCuda gpu, DeviceTensor tensor, List<Long> seen) {
    MemorySegment memory = MemorySegment.ofAddress(tensor.address()).reinterpret(tensor.byteSize());
    gpu.launch(
        0,
        () -> {
          for (long i = 0; i < tensor.shape().dim(0); i++) {
            seen.add(memory.getAtIndex(ValueLayout.JAVA_LONG, i));
          }
        });
  }

  private static List<Long> everyRow() {
    return LongStream.range(0, ROWS).boxed().toList();
  }

  @Seeded(runs = 30)
  void trainingSeesEveryBatchWheneverTheGpuComesToIt(Random random) {
    try (FakeCuda gpu = new FakeCuda(random.nextLong())) {
      List<Long> seen = new ArrayList<>();
      try (DataLoader loader = loader();
          DevicePrefetcher prefetcher = DevicePrefetcher.of(loader, 1, 0)) {
        for (int epoch = 0; epoch < 2; epoch++) {
          for (DeviceBatch batch : prefetcher) {
            try (batch) {
              assertThat(batch.names()).containsExactly("id"); // strings stay on the host
              train(gpu, batch.tensor("id"), seen);
            }
          }
        }
        gpu.runAll();
        assertThat(gpu.registeredBytes()).isPositive();
      }
      assertThat(seen.subList(0, ROWS)).isEqualTo(everyRow());
      assertThat(seen.subList(ROWS, 2 * ROWS)).isEqualTo(everyRow());
      assertThat(gpu.leftovers()).isEmpty();
    }
  }

  @Test
  void memoryIsRegisteredOnceForAllBatchesInIt() {
    try (FakeCuda gpu = new FakeCuda(1)) {
      try (DataLoader loader = loader()) {
        for (int epoch = 0; epoch < 20; epoch++) {
          for (Batch batch : loader) {
            assertThat(batch.tensor("id").memory().address() % 64).isZero();
            batch.close();
          }
        }
        // Of 320 batches; two workers may have found no idle slab at once.
        assertThat(gpu.registrations()).isBetween(1, 2);
      }
      assertThat(gpu.leftovers()).isEmpty();
    }
  }

  @Test
  void stateOfBatchIsWhereTheNextOneStarts() {
    try (FakeCuda _ = new FakeCuda(1)) {
      LoaderState state;
      try (DataLoader loader = loader();
          DevicePrefetcher prefetcher = DevicePrefetcher.of(loader, 0, 0)) {
        Iterator<DeviceBatch> batches = prefetcher.iterator();
        batches.next().close();
        try (DeviceBatch second = batches.next()) {
          state = second.state();
        }
      }
      assertThat(state.batches()).isEqualTo(2);
      try (DataLoader loader = loader()) {
        loader.resume(state);
        try (Batch third = loader.iterator().next()) {
          assertThat(third.tensor("id").getLong(0)).isEqualTo(128);
        }
      }
    }
  }

  @Test
  void epochThatIsLeftFreesEverything() {
    try (FakeCuda gpu = new FakeCuda(1)) {
      DeviceBatch open;
      try (DataLoader loader = loader();
          DevicePrefetcher prefetcher = DevicePrefetcher.of(loader, 0, 0)) {
        prefetcher.iterator().next().close();
        open = prefetcher.iterator().next(); // another epoch
      }
      assertThat(gpu.leftovers()).isEmpty();
      assertThatThrownBy(() -> open.tensor("id")).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void batchesThatAreAllOpenAreAnErrorNotAHang() {
    try (FakeCuda _ = new FakeCuda(1);
        DataLoader loader = loader();
        DevicePrefetcher prefetcher = DevicePrefetcher.of(loader, 0, 0)) {
      Iterator<DeviceBatch> batches = prefetcher.iterator();
      batches.next();
      batches.next();
      assertThatThrownBy(batches::next)
          .hasMessage(
              "Cannot copy the next batch: 2 batches on the GPU are open. Close each when its work"
                  + " was submitted.");
    }
  }

  @Test
  void errorOfTheLoaderComesAtItsBatch() {
    try (FakeCuda gpu = new FakeCuda(1)) {
      try (DataLoader loader =
              DataLoader.of(
                  new StructuredDataset(folder.toString()),
                  o ->
                      o.batchSize(64)
                          .pinMemory(true)
                          .transform((block, _) -> {
                            throw new IllegalStateException("no");
                          }));
          DevicePrefetcher prefetcher = DevicePrefetcher.of(loader, 0, 0)) {
        assertThatThrownBy(() -> prefetcher.iterator().next()).hasMessageContaining("no");
      }
      assertThat(gpu.leftovers()).isEmpty();
    }
  }

  @Test
  void memoryThatTheDriverRefusesIsUsedAsItIs() {
    try (FakeCuda gpu = new FakeCuda(1)) {
      gpu.refuseRegistration(1);
      long rows = 0;
      try (DataLoader loader = loader()) {
        for (Batch batch : loader) {
          rows += batch.rowCount();
          batch.close();
        }
      }
      assertThat(rows).isEqualTo(ROWS);
      assertThat(gpu.leftovers()).isEmpty();
    }
  }

  /// A batch type of the user's.
  private record Own(List<Long> ids, boolean isPinned) implements Pinnable<Own> {
    static Own of(Batch batch) {
      try (batch) {
        return new Own(
            LongStream.range(0, batch.rowCount()).mapToObj(batch.tensor("id")::getLong).toList(),
            false);
      }
    }

    @Override
    public Own pinMemory() {
      return new Own(ids, true);
    }
  }

  @Test
  void ownBatchesArePinnedByTheirMethod() {
    try (FakeCuda _ = new FakeCuda(1);
        DataLoader loader = loader()) {
      List<Long> seen = new ArrayList<>();
      for (Own batch : loader.collate(Own::of)) {
        assertThat(batch.isPinned()).isTrue();
        seen.addAll(batch.ids());
      }
      assertThat(seen).isEqualTo(everyRow());
    }
  }

  @Test
  void ownBatchesOfObjectsArePinnedByTheirMethod() {
    try (FakeCuda _ = new FakeCuda(1);
        var loader =
            DataLoader.of(
                Datasets.ofList(everyRow()),
                o -> o.batchSize(100).pinMemory(true).collate((rows, _) -> new Own(rows, false)))) {
      for (Own batch : loader) {
        assertThat(batch.isPinned()).isTrue();
      }
    }
  }

  @Test
  void withoutDriverNothingIsPinned() throws Exception {
    try (AutoCloseable _ = FakeCuda.absent();
        DataLoader loader = loader()) {
      for (Own batch : loader.collate(Own::of)) {
        assertThat(batch.isPinned()).isFalse();
      }
      assertThat(DevicePrefetcher.devices()).isZero();
      assertThatThrownBy(() -> DevicePrefetcher.of(loader, 0, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Cannot use a GPU: the driver cannot be used (");
    }
  }
}
