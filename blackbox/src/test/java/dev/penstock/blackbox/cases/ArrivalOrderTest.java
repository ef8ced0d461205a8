package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.contract.Failure;
import dev.penstock.blackbox.contract.Leaks;
import dev.penstock.blackbox.files.Delays;
import dev.penstock.blackbox.files.FaultStorage;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Shuffle;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Batches as soon as they are made: the same batches, in another order.
class ArrivalOrderTest {
  @TempDir static Path path;
  private FaultStorage.Site site;
  private StructuredDataset dataset;

  /// 200 rows in 4 files.
  @BeforeAll
  static void writeFiles() throws IOException {
    new Folder(path).counting(new int[] {50}, new int[] {50}, new int[] {20, 30}, new int[] {50});
  }

  @BeforeEach
  void openSite() {
    site = FaultStorage.over(path);
    dataset = new StructuredDataset(site.location());
    var _ = dataset.files();
  }

  @AfterEach
  void nothingIsLeft() {
    Leaks.assertNoThreads();
    Leaks.assertNoOpenFiles(path);
    assertThat(site.openFiles()).isZero();
  }

  private static LoaderOptions options(int workers) {
    return LoaderOptions.defaults().batchSize(10).workers(workers).inOrder(false);
  }

  private static List<Long> ids(Batch batch) {
    return LongStream.range(0, batch.rowCount()).mapToObj(batch.tensor("id")::getLong).toList();
  }

  private static List<List<Long>> rest(EpochIterator<Batch> epoch) {
    List<List<Long>> batches = new ArrayList<>();
    while (epoch.hasNext()) {
      try (Batch batch = epoch.next()) {
        batches.add(ids(batch));
      }
    }
    return batches;
  }

  @Test
  void batchesOfOtherFilesComeWhileTheFirstFileIsSlow() {
    FaultStorage.Gate gate = new FaultStorage.Gate();
    site.onRead(location -> {
      if (location.text().contains("part-0")) {
        gate.check(location);
      }
    });
    try (DataLoader loader = DataLoader.of(dataset, options(2));
        FaultStorage.Gate _ = gate) { // opened when the test fails, too
      assertTimeoutPreemptively(
          Failure.HANG,
          () -> {
            EpochIterator<Batch> epoch = loader.iterator();
            List<List<Long>> batches = new ArrayList<>();
            for (int i = 0; i < 15; i++) {
              try (Batch batch = epoch.next()) {
                batches.add(ids(batch));
              }
            }
            assertThat(batches)
                .allSatisfy(ids -> assertThat(ids.getFirst()).isGreaterThanOrEqualTo(50));
            gate.open();
            List<List<Long>> late = rest(epoch);
            assertThat(late).hasSize(5).allSatisfy(ids -> assertThat(ids.getLast()).isLessThan(50));
            batches.addAll(late);
            assertThat(batches).allSatisfy(ids -> assertThat(ids).hasSize(10));
            assertThat(batches.stream().flatMap(List::stream))
                .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 200).boxed().toList());
          });
    }
  }

  @Seeded(runs = 30)
  void batchesAreThoseOfTheSequence(Random random) {
    StructuredDataset rows =
        random.nextBoolean() ? dataset : dataset.where("id < 77 or id >= 101 and id != 150");
    LoaderOptions options =
        LoaderOptions.defaults()
            .batchSize(1 + random.nextInt(40))
            .seed(random.nextLong())
            .dropLast(random.nextBoolean())
            .prefetchFactor(1 + random.nextInt(2))
            .shuffle(random.nextBoolean() ? Shuffle.splits() : Shuffle.window(30));
    if (random.nextInt(3) == 0) {
      options = options.transform((block, _) -> block.take(new int[block.rowCount() / 2]), 16);
    }
    LoaderOptions fixed = options;
    List<List<Long>> sequence;
    try (DataLoader loader = DataLoader.of(rows, _ -> fixed.workers(0))) {
      sequence = rest(loader.iterator());
    }
    Delays delays = new Delays(random.nextLong());
    site.onRead(delays);
    int workers = random.nextInt(5);
    try (DataLoader loader = DataLoader.of(rows, _ -> fixed.workers(workers).inOrder(false))) {
      List<List<Long>> arrived = rest(loader.iterator());
      assertThat(arrived).containsExactlyInAnyOrderElementsOf(sequence);
      if (workers == 0) {
        assertThat(arrived).isEqualTo(sequence);
      }
      assertThat(rest(loader.iterator())).as("the next epoch").hasSameSizeAs(sequence);
    }
  }

  @Test
  void allBatchesBeforeAFailureCome() {
    site.onRead(location -> {
      if (location.text().contains("part-2")) {
        throw new IOException("out of order");
      }
    });
    for (int workers : new int[] {0, 1, 3}) {
      try (DataLoader loader = DataLoader.of(dataset, options(workers))) {
        EpochIterator<Batch> epoch = loader.iterator();
        List<Long> ids = new ArrayList<>();
        assertThatThrownBy(
                () -> {
                  while (epoch.hasNext()) {
                    try (Batch batch = epoch.next()) {
                      ids.addAll(ids(batch));
                    }
                  }
                })
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining("out of order");
        assertThat(ids).containsAll(LongStream.range(0, 100).boxed().toList());
        assertThat(ids).doesNotHaveDuplicates();
        assertThatThrownBy(epoch::next).hasMessageContaining("out of order");
      }
    }
  }

  @Test
  void leavingTheEpochFreesEverything() {
    DataLoader loader = DataLoader.of(dataset, options(3));
    for (int batches = 0; batches < 10; batches++) {
      EpochIterator<Batch> epoch = loader.iterator();
      for (int i = 0; i < batches; i++) {
        epoch.next().close();
      }
    }
    loader.close();
    Leaks.assertNone(loader, path);
  }

  @Test
  void stateIsKnownBetweenEpochsOnly() {
    try (DataLoader loader = DataLoader.of(dataset, options(2))) {
      assertThat(loader.state().epoch()).isZero();
      EpochIterator<Batch> epoch = loader.iterator();
      assertThat(loader.state().batches()).isZero();
      epoch.next().close();
      assertThatThrownBy(loader::state)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "Cannot say where epoch 0 goes on: with inOrder(false) the batches received need not"
                  + " be the first ones. Ask at the end of an epoch, or leave out inOrder(false).");
      rest(epoch);
      assertThat(loader.state().epoch()).isOne();
    }
  }

  @Test
  void stateOfARunInOrderMayGoOnOutOfOrder() {
    LoaderState state;
    try (DataLoader loader = DataLoader.of(dataset, options(2).inOrder(true))) {
      EpochIterator<Batch> epoch = loader.iterator();
      for (int i = 0; i < 7; i++) {
        epoch.next().close();
      }
      state = loader.state();
    }
    try (DataLoader loader = DataLoader.of(dataset, options(2))) {
      loader.resume(state);
      assertThat(rest(loader.iterator()).stream().flatMap(List::stream))
          .containsExactlyInAnyOrderElementsOf(LongStream.range(70, 200).boxed().toList());
    }
  }
}
