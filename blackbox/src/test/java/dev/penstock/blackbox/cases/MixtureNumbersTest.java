package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.LoaderState;
import dev.penstock.Mixture;
import dev.penstock.Mixture.Stop;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.compose.Composition;
import dev.penstock.options.LoaderOptions;
import dev.penstock.split.Plan;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.stats.LoaderStats;
import dev.penstock.stats.SkippedRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What plans and statistics say of mixtures, also where sources read the same files.
class MixtureNumbersTest {
  private static final int ROWS = 1_000;

  @TempDir Path path;

  /// Returns ids `[0, ROWS)` in two files, one in ten of the class `rare`.
  private StructuredDataset labels() throws IOException {
    for (int file = 0; file < 2; file++) {
      String text =
          IntStream.range(file * ROWS / 2, (file + 1) * ROWS / 2)
              .mapToObj(id -> id + "," + (id % 10 == 0 ? "rare" : "usual"))
              .collect(Collectors.joining("\n", "id,label\n", "\n"));
      Files.createDirectories(path.resolve("labels"));
      Files.writeString(path.resolve("labels/part-" + file + ".csv"), text);
    }
    return new StructuredDataset(path.resolve("labels").toString());
  }

  private static LoaderOptions options() {
    return LoaderOptions.defaults().batchSize(64).rank(Rank.SINGLE);
  }

  private static LoaderStats read(Mixture mixture, UnaryOperator<LoaderOptions> change) {
    try (DataLoader loader =
        DataLoader.of(new StructuredDataset(mixture), change.apply(options()))) {
      loader.forEach(Batch::close);
      return loader.stats();
    }
  }

  private static SkippedRows skipped(Mixture mixture) {
    return read(mixture, o -> o).read().skipped();
  }

  private static long sum(List<Long> rows) {
    return rows.stream().mapToLong(each -> each).sum();
  }

  @Test
  void classesLeaveOutOnlyWhatTheFilterDoes() throws IOException {
    StructuredDataset dataset = labels();
    for (Stop stop : Stop.values()) {
      Mixture all = Mixture.balanced(dataset, "label").stop(stop);
      assertThat(skipped(all)).as("%s", stop).isEqualTo(SkippedRows.NONE);
      Mixture some = Mixture.balanced(dataset.where("id < 300"), "label").stop(stop);
      assertThat(skipped(some)).as("%s", stop).isEqualTo(new SkippedRows(0, 0, 0, 0, 700));
    }
  }

  @Test
  void planHasEachFileOnceAndTheRowsThatCome() throws IOException {
    for (Stop stop : Stop.values()) {
      for (String where : new String[] {"id >= 0", "id < 300"}) {
        Mixture mixture = Mixture.balanced(labels().where(where), "label").stop(stop);
        Plan plan = new StructuredDataset(mixture).plan(options(), 0);
        LoaderStats stats = read(mixture, o -> o);
        assertThat(plan.files()).hasSize(2);
        assertThat(plan.pruned()).isEmpty();
        assertThat(plan.rows()).isEqualTo(stats.rows());
        assertThat(plan.rowsOfSources()).isEqualTo(stats.rowsOfSources());
      }
    }
    Mixture rare = Mixture.balanced(labels(), "label");
    long ofRanks =
        LongStream.range(0, 3)
            .map(rank ->
                new StructuredDataset(rare).plan(options().rank(new Rank((int) rank, 3)), 0).rows())
            .sum();
    assertThat(ofRanks).isEqualTo(read(rare, o -> o).rows());
  }

  @Test
  void rowGroupsCountIfNoSourceMayTakeThem() throws IOException {
    Folder folder = new Folder(path);
    for (int file = 0; file < 4; file++) { // ids [250 * file, 250 * (file + 1))
      folder.write(
          "ids/part-" + file + ".parquet", Folder.ID, Folder.ids(250L * file, 250L * (file + 1)));
    }
    StructuredDataset ids = new StructuredDataset(path.resolve("ids").toString());
    Mixture mixture = Mixture.of(ids.where("id < 250"), 1).and(ids.where("id < 400"), 1);
    assertThat(skipped(mixture)).isEqualTo(new SkippedRows(0, 500, 0, 0, 100));
    Plan plan = new StructuredDataset(mixture).plan(options(), 0);
    assertThat(plan.files()).hasSize(2);
    assertThat(plan.pruned()).hasSize(2);
    Mixture whole = Mixture.of(ids.where("id < 250"), 1).and(ids.where("id >= 250"), 1);
    assertThat(skipped(whole)).isEqualTo(SkippedRows.NONE);
  }

  @Test
  void filesCountIfNoSourceOpensThem() throws IOException {
    for (String day : List.of("mon", "tue", "wed")) {
      Files.createDirectories(path.resolve("days/day=" + day));
      Files.writeString(path.resolve("days/day=" + day + "/part.csv"), "id\n1\n2\n");
    }
    StructuredDataset days =
        new StructuredDataset(path.resolve("days").toString()).hivePartitions();
    assertThat(skipped(Mixture.balanced(days, "day"))).isEqualTo(SkippedRows.NONE);
    Mixture two = Mixture.balanced(days.where("day != 'tue'"), "day");
    assertThat(skipped(two)).isEqualTo(new SkippedRows(1, 0, 0, 0, 0));
    assertThat(new StructuredDataset(two).plan(options(), 0).prunedFiles()).hasSize(1);
  }

  /// Returns documents whose lists have 1 to `most` tokens.
  private StructuredDataset documents(String name, int count, int most) throws IOException {
    String text =
        IntStream.range(0, count)
            .mapToObj(
                id -> "{\"tokens\":" + IntStream.rangeClosed(0, id % most).boxed().toList() + "}\n")
            .collect(Collectors.joining());
    Files.createDirectories(path.resolve(name));
    Files.writeString(path.resolve(name).resolve("part-0.jsonl"), text);
    return new StructuredDataset(path.resolve(name).toString());
  }

  @Test
  void documentsOfSourcesAreCountedInPacks() throws IOException {
    Mixture mixture =
        Mixture.of(documents("web", 3_000, 7), 0.75)
            .and(documents("books", 500, 7), 0.25)
            .stop(Stop.ALL);
    Composition packs = Composition.packs("tokens", 16);
    LoaderStats stats = read(mixture, o -> o.compose(packs));
    assertThat(stats.rowsOfSources()).containsExactly(3_000L, 500L);
    assertThat(stats.rows()).isLessThan(3_500);
    assertThat(read(mixture, o -> o.compose(Composition.buckets("tokens"))).rowsOfSources())
        .containsExactly(3_000L, 500L);

    LoaderOptions options = options().compose(packs).shuffle(Shuffle.window(400)).batchSize(10);
    long before;
    LoaderState state;
    try (DataLoader loader = DataLoader.of(new StructuredDataset(mixture), options)) {
      EpochIterator<Batch> epoch = loader.iterator();
      for (int batch = 0; batch < 25; batch++) {
        epoch.next().close();
      }
      before = sum(loader.stats().rowsOfSources());
      state = loader.state();
    }
    try (DataLoader loader = DataLoader.of(new StructuredDataset(mixture), options)) {
      loader.resume(state);
      loader.forEach(Batch::close);
      assertThat(before).isPositive().isLessThan(3_500);
      assertThat(before + sum(loader.stats().rowsOfSources())).isEqualTo(3_500);
    }
  }

  private static double meanLength(StructuredDataset documents) {
    UnaryOperator<LoaderOptions> change = o -> o.compose(Composition.buckets("tokens"));
    LoaderStats stats = read(Mixture.of(documents, 1), change);
    return (double) stats.padding().elements() / stats.rows();
  }

  @Test
  void weightsByMeanLengthsGiveSharesOfTokens() throws IOException {
    StructuredDataset web = documents("web", 7_000, 7);
    StructuredDataset books = documents("books", 2_050, 41);
    Mixture mixture = Mixture.of(web, 0.7 / meanLength(web)).and(books, 0.3 / meanLength(books));
    long[] tokens = new long[2];
    StructuredDataset mixed = new StructuredDataset(mixture.sourceColumn("source"));
    try (DataLoader loader = DataLoader.of(mixed, options())) {
      for (Batch batch : loader) {
        try (batch) {
          for (int row = 0; row < batch.rowCount(); row++) {
            tokens[batch.tensor("source").getInt(row)] += batch.ragged("tokens").length(row);
          }
        }
      }
    }
    assertThat((double) tokens[0] / (tokens[0] + tokens[1])).isCloseTo(0.7, within(0.01));
  }
}
