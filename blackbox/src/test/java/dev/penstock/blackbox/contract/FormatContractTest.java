package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.files.RowsFormat;
import dev.penstock.blackbox.files.Table;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Rank;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// What each format and each store promises: the rows that were written, in every form of batch,
/// behind a filter, in parts of files, after a stop, and nothing else when a file is damaged.
///
/// What is promised of their order, ranks and compositions does not depend on the format; the other
/// contracts show that with few of them.
class FormatContractTest extends FileContract {
  static List<ContractFiles> files() {
    return ContractFiles.ofFormats();
  }

  private static LoaderOptions options() {
    return LoaderOptions.defaults().nulls(NullPolicy.mask()).workers(2);
  }

  /// Nulls, nested columns and all types that the format has among them.
  @Seeded(runs = 30)
  void rowsAreThoseThatWereWrittenInEveryFormOfBatch(Random random) throws IOException {
    Table table = Table.random(random, 3, writer());
    StructuredDataset dataset = writer().dataset(folder, table, random);
    assertThat(dataset.schema()).isEqualTo(writer().read(table.schema()));
    int batchSize = 1 + random.nextInt(150);
    for (OutputFormat output : OutputFormat.values()) {
      LoaderOptions options = options().batchSize(batchSize).output(output);
      try (DataLoader loader = DataLoader.of(dataset, options)) {
        assertThat(Delivery.ofEpoch(loader).rows())
            .as("%s as %s", table, output)
            .isEqualTo(table.rows());
        assertThat(loader.batchesPerEpoch())
            .isEqualTo(Math.ceilDiv(table.rows().size(), batchSize));
      }
    }
  }

  @Seeded(runs = 60)
  void filterKeepsTheRowsThatAPlainEvaluationKeeps(Random random) throws IOException {
    Table table = Table.random(random, 2, writer());
    List<List<Object>> rows = table.rows();
    NaiveFilter wanted = NaiveFilter.random(random, table.schema(), rows, 1 + random.nextInt(2));
    StructuredDataset dataset = writer().dataset(folder, table, random).filter(wanted.filter());
    try (DataLoader loader = DataLoader.of(dataset, options().batchSize(50))) {
      for (int epoch = 0; epoch < 2; epoch++) {
        assertThat(Delivery.ofEpoch(loader).rows())
            .as("%s where %s", table, wanted.filter())
            .isEqualTo(rows.stream().filter(wanted::keeps).toList());
      }
    }
  }

  private static Table counting(Random random) {
    int[][] files = new int[2 + random.nextInt(2)][];
    for (int file = 0; file < files.length; file++) {
      files[file] = random.ints(1 + random.nextInt(3), 0, 60).toArray();
    }
    return Table.counting(files);
  }

  private static List<Long> idsOf(Table table) {
    return LongStream.range(0, table.rows().size()).boxed().toList();
  }

  @Seeded(runs = 20)
  void splitsWithinFilesHaveTheirRowsAndRanksTogetherHaveAll(Random random) throws IOException {
    Table table = counting(random);
    StructuredDataset dataset =
        writer().dataset(folder, table, random).splitRows(1 + random.nextInt(20));
    try (DataLoader loader = DataLoader.of(dataset, options().batchSize(7))) {
      assertThat(Delivery.ofEpoch(loader).ids()).isEqualTo(idsOf(table));
    }
    List<Long> together = new ArrayList<>();
    int world = 2 + random.nextInt(3);
    for (int rank = 0; rank < world; rank++) {
      LoaderOptions options = options().batchSize(7).shuffle(true).rank(new Rank(rank, world));
      try (DataLoader loader = DataLoader.of(dataset, options)) {
        together.addAll(Delivery.ofEpoch(loader).ids());
      }
    }
    assertThat(together).containsExactlyInAnyOrderElementsOf(idsOf(table));
  }

  @Seeded(runs = 20)
  void runThatStopsGoesOnWithTheNextBatch(Random random) throws IOException {
    Table table = Table.random(random, 1, writer());
    StructuredDataset dataset =
        writer().dataset(folder, table, random).splitRows(1 + random.nextInt(50));
    LoaderOptions options = options().batchSize(1 + random.nextInt(30)).shuffle(true).seed(5);
    List<Integer> whole;
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      whole = Delivery.bitsOfEpoch(loader);
    }
    int stop = random.nextInt(whole.size() + 1);
    List<Integer> parts = new ArrayList<>();
    LoaderState state;
    try (DataLoader loader = DataLoader.of(dataset, options);
        EpochIterator<Batch> epoch = loader.iterator()) {
      while (parts.size() < stop) {
        try (Batch batch = epoch.next()) {
          parts.add(Delivery.bits(batch));
        }
      }
      state = LoaderState.parse(loader.state().toJson());
    }
    try (DataLoader loader = DataLoader.of(dataset, options.workers(1))) {
      loader.resume(state);
      if (state.epoch() == 0) {
        parts.addAll(Delivery.bitsOfEpoch(loader));
      }
    }
    assertThat(parts).as("stopped after %s", stop).isEqualTo(whole);
  }

  /// Where files do not say where they end, the last record may be a part of one: `12` of `123`.
  @Test
  void fileThatIsCutIsAnErrorThatNamesItOrHasTheRowsBeforeTheCut() throws IOException {
    assumeTrue(!(writer() instanceof RowsFormat), "its files name rows that are in memory");
    for (int part = 1; part < 8; part++) {
      Path place = Files.createDirectory(folder.resolve("cut-" + part));
      Table table = Table.counting(new int[] {40, 30});
      writer().write(place, table, new Random(part));
      Path file = writer().path(place, table.files().getFirst());
      byte[] bytes = Files.readAllBytes(file);
      Files.write(file, Arrays.copyOf(bytes, bytes.length * part / 8));
      List<Long> read = new ArrayList<>();
      boolean ended = false;
      try {
        StructuredDataset dataset = writer().open(place.toString(), table);
        try (DataLoader loader = DataLoader.of(dataset, options().batchSize(1))) {
          for (Batch batch : loader) {
            try (batch) {
              read.add(batch.tensor("id").getLong(0));
            }
          }
          ended = true;
        }
      } catch (UncheckedIOException e) {
        assertThat(e).hasMessageContaining(file.getFileName().toString());
      }
      assertThat(writer().saysEnd() && ended).as("%s of 8 parts", part).isFalse();
      List<Long> before = read.subList(0, Math.max(0, read.size() - 1));
      assertThat(before).isEqualTo(idsOf(table).subList(0, before.size()));
    }
  }

  /// Rows are shuffled whole: each value stays with the others of its row.
  @Seeded(runs = 20)
  void shuffledRowsAreTheRowsThatWereWritten(Random random) throws IOException {
    Table table = Table.random(random, 2, writer());
    StructuredDataset dataset = writer().dataset(folder, table, random).splitRows(11);
    try (DataLoader loader = DataLoader.of(dataset, options().shuffle(true).batchSize(13))) {
      assertThat(counts(Delivery.ofEpoch(loader).rows())).isEqualTo(counts(table.rows()));
    }
  }

  private static Map<List<Object>, Long> counts(List<List<Object>> rows) {
    return rows.stream().collect(Collectors.groupingBy(row -> row, Collectors.counting()));
  }
}
