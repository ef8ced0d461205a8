package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.contract.GlobalShuffles;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.split.Shuffle.Passes;
import dev.penstock.tck.Table;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Epochs whose rows are put on piles first. They have the order of those whose rows are read by
/// number, which other tests compare with torch's.
class TwoPassShuffleTest extends CacheFolders {
  private static final LoaderOptions OPTIONS =
      LoaderOptions.defaults().nulls(NullPolicy.mask()).output(OutputFormat.MAP).rank(Rank.SINGLE);

  private static List<List<Object>> rows(StructuredDataset dataset, LoaderOptions options) {
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      loader.setEpoch(3);
      return Delivery.ofEpoch(loader).rows();
    }
  }

  private static LoaderOptions twoPasses(LoaderOptions options) {
    return options.shuffle(
        options.order().shuffle() instanceof Shuffle.Torch torch
            ? torch.passes(Passes.TWO)
            : Shuffle.global().passes(Passes.TWO));
  }

  /// A file whose rows are large enough for many piles in little memory.
  private StructuredDataset wide(int rows) throws IOException {
    StringBuilder text = new StringBuilder("id,number,text\n");
    for (int id = 0; id < rows; id++) {
      text.append(id).append(',').append(id % 7 == 0 ? "" : id / 3.0).append(',');
      text.append("row ").append(id).append(' ').append("x".repeat(id % 1500)).append('\n');
    }
    return csv("wide.csv", text.toString());
  }

  @Seeded(runs = 40)
  void passesMakeNoDifferenceToTheOrder(Random random) throws IOException {
    Table table = Tables.random(random, 3);
    new ParquetFiles().write(files, table, random);
    StructuredDataset dataset = cached(new StructuredDataset(files.toString()));
    LoaderOptions options =
        OPTIONS
            .seed(random.nextInt(100))
            .batchSize(1 + random.nextInt(40))
            .workers(random.nextInt(4))
            .memory(random.nextBoolean() ? "8MiB" : "64MiB")
            .shuffle(random.nextBoolean() ? Shuffle.global() : Shuffle.torch());
    assertThat(rows(dataset, twoPasses(options))).isEqualTo(rows(dataset, options));
  }

  @Seeded(runs = 6)
  void manyPilesInLittleMemory(Random random) throws IOException {
    StructuredDataset dataset = cached(wide(20_000)).where("number > 100 or id < 500");
    LoaderOptions options =
        OPTIONS
            .seed(random.nextInt(100))
            .batchSize(1 + random.nextInt(40))
            .workers(random.nextInt(4))
            .shuffle(Shuffle.global());
    List<List<Object>> expected = rows(dataset, options);
    assertThat(rows(dataset, twoPasses(options.memory("8MiB")))).isEqualTo(expected);
    assertThat(pileSegments()).isEmpty();
  }

  @Seeded(runs = 6)
  void ranksAndStatesGoOnWhateverThePasses(Random random) throws IOException {
    StructuredDataset dataset =
        cached(new Folder(files).counting(new int[] {300, 200}, new int[] {412}).dataset());
    LoaderOptions options =
        OPTIONS.seed(random.nextInt(100)).batchSize(7).workers(random.nextInt(3));
    int world = 1 + random.nextInt(3);
    for (int index = 0; index < world; index++) {
      LoaderOptions one = options.rank(new Rank(index, world)).shuffle(Shuffle.global());
      List<List<Object>> expected = rows(dataset, one);
      LoaderOptions first = random.nextBoolean() ? one : twoPasses(one);
      LoaderOptions second = random.nextBoolean() ? one : twoPasses(one);
      List<List<Object>> got = new ArrayList<>();
      LoaderState state;
      try (DataLoader loader = DataLoader.of(dataset, first)) {
        loader.setEpoch(3);
        try (EpochIterator<Batch> batches = loader.iterator()) {
          for (int i = random.nextInt(20); i > 0; i--) {
            try (Batch batch = batches.next()) {
              got.addAll(Delivery.rows(batch, dataset.schema(), OutputFormat.MAP));
            }
          }
          state = loader.state();
        }
      }
      try (DataLoader loader = DataLoader.of(dataset, second)) {
        loader.resume(state);
        got.addAll(Delivery.ofEpoch(loader).rows());
      }
      assertThat(got).isEqualTo(expected);
    }
  }

  @Test
  void sizeDecidesHowManyPassesThereAre() throws IOException {
    StructuredDataset dataset = cached(wide(5_000)).columns("id");
    LoaderOptions options = OPTIONS.workers(2).memory("8MiB").shuffle(Shuffle.global());
    for (StructuredDataset each : List.of(dataset, cached(wide(40_000)))) {
      try (DataLoader loader = DataLoader.of(each, options);
          EpochIterator<Batch> _ = loader.iterator()) {
        assertThat(pileSegments().isEmpty()).isEqualTo(each == dataset);
      }
    }
  }

  @Test
  void pilesMakeRoomForThemselvesAndAreDeleted() throws IOException {
    StructuredDataset files = wide(20_000);
    long bytes = bytesOfPiles(files);
    // Room for the piles, but not for the decoded columns beside them.
    StructuredDataset dataset = files.cache(cache.toString(), bytes * 5 / 4 + "B");
    List<List<Object>> expected =
        rows(files.cache(cache + "-whole", "1GiB"), OPTIONS.shuffle(Shuffle.global()));
    LoaderOptions options = twoPasses(OPTIONS.workers(2).memory("8MiB").shuffle(Shuffle.global()));
    for (int epoch = 0; epoch < 3; epoch++) {
      assertThat(rows(dataset, options)).isEqualTo(expected);
      assertThat(pileSegments()).isEmpty();
      assertThat(disk.bytes()).isLessThanOrEqualTo(bytes * 5 / 4);
    }
  }

  private long bytesOfPiles(StructuredDataset files) throws IOException {
    Path other = folder.resolve("measured");
    StructuredDataset dataset = files.cache(other.toString(), "1GiB");
    CacheDisk measured = new CacheDisk(other);
    rows(dataset, OPTIONS); // fills the cache
    long before = measured.bytes();
    LoaderOptions options = twoPasses(OPTIONS.workers(1).memory("8MiB").shuffle(Shuffle.global()));
    try (DataLoader loader = DataLoader.of(dataset, options);
        EpochIterator<Batch> _ = loader.iterator()) {
      return measured.bytes() - before;
    }
  }

  /// Returns the segments that have rows of piles.
  private List<Path> pileSegments() throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path segment : disk.segments()) {
      byte[] bytes = Files.readAllBytes(segment);
      if (new String(bytes, StandardCharsets.ISO_8859_1).contains("rows to shuffle")) {
        found.add(segment);
      }
    }
    return found;
  }

  @Test
  void epochThatIsLeftDeletesItsPiles() throws IOException {
    StructuredDataset dataset = cached(wide(5_000));
    LoaderOptions options = twoPasses(OPTIONS.workers(1).shuffle(Shuffle.global()));
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      try (EpochIterator<Batch> batches = loader.iterator()) {
        batches.next().close();
        assertThat(pileSegments()).isNotEmpty();
      }
      assertThat(pileSegments()).isEmpty();
      assertThat(loader.iterator()).isNotNull();
      loader.iterator().close();
      assertThat(loader.iterator()).isNotNull();
      assertThat(pileSegments()).isNotEmpty();
    }
    assertThat(pileSegments()).isEmpty();
    assertThat(disk.parts()).isEmpty();
  }

  @Test
  void cacheThatCannotHoldTheRowsIsAnError() throws IOException {
    StructuredDataset dataset = wide(20_000).cache(cache.toString(), "2MiB");
    LoaderOptions options = twoPasses(OPTIONS.workers(2).shuffle(Shuffle.global()));
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      assertThatThrownBy(loader::iterator)
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageStartingWith("Cannot shuffle all rows: the cache '" + cache + "' has no room")
          .satisfies(error -> assertThat(GlobalShuffles.advisedSize(error)).endsWith("MiB"));
    }
    assertThat(pileSegments()).isEmpty();
    assertThat(disk.parts()).isEmpty();
  }

  @Seeded(runs = 4)
  void pileThatIsDamagedOrGoneIsAnError(Random random) throws IOException {
    StructuredDataset dataset = cached(wide(20_000));
    LoaderOptions options = twoPasses(OPTIONS.workers(1).memory("8MiB").shuffle(Shuffle.global()));
    try (DataLoader loader = DataLoader.of(dataset, options.prefetchFactor(1))) {
      assertThatThrownBy(
              () -> {
                try (EpochIterator<Batch> batches = loader.iterator()) {
                  for (Path segment : pileSegments()) {
                    if (random.nextBoolean()) {
                      Files.delete(segment);
                    } else {
                      byte[] bytes = Files.readAllBytes(segment);
                      for (int at = 100; at < bytes.length; at += 1000) {
                        bytes[at] ^= 64;
                      }
                      Files.write(segment, bytes);
                    }
                  }
                  while (batches.hasNext()) {
                    batches.next().close();
                  }
                }
              })
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("rows to shuffle")
          .hasMessageContaining("Begin the epoch again");
    }
    assertThat(rows(dataset, options)).isEqualTo(rows(dataset, options.shuffle(Shuffle.global())));
  }
}
