package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.LoaderState;
import dev.penstock.LocalCache;
import dev.penstock.Mixture;
import dev.penstock.RowDataset;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.contract.Failure;
import dev.penstock.blackbox.contract.GlobalShuffles;
import dev.penstock.blackbox.files.DeletedRowsFiles;
import dev.penstock.blackbox.files.Folder;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.split.Rank;
import dev.penstock.split.Shuffle;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The column that numbers rows, on files whose `id` does the same.
class RowIndexTest extends OwnFolder {
  private static final int ROWS = 230;

  @TempDir Path cache;

  private StructuredDataset dataset() throws IOException {
    return folder
        .counting(new int[] {40, 7}, new int[] {0}, new int[] {100, 1, 62}, new int[] {20})
        .dataset()
        .splitRows(10)
        .rowIndex("row");
  }

  /// Reads an epoch in several ways, and returns its ids, after a check that they are the numbers.
  private static List<Long> numbered(StructuredDataset dataset, LoaderOptions options) {
    List<Long> first = null;
    for (int workers : new int[] {0, 1, 3}) {
      for (OutputFormat output : OutputFormat.values()) {
        List<Long> ids = ids(dataset.columns("id", "row"), options.workers(workers).output(output));
        assertThat(ids(dataset.columns("row"), options.workers(workers).output(output)))
            .isEqualTo(ids);
        assertThat(first == null ? ids : first).isEqualTo(ids);
        first = ids;
      }
    }
    return first;
  }

  private static List<Long> ids(StructuredDataset dataset, LoaderOptions options) {
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      List<List<Object>> rows = Delivery.ofEpoch(loader).rows();
      rows.forEach(row -> assertThat(row.getLast()).isEqualTo(row.getFirst()));
      return rows.stream().map(row -> (Long) row.getFirst()).toList();
    }
  }

  private static List<Long> range(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }

  @Test
  void rowsAreNumberedInFileOrder() throws IOException {
    assertThat(dataset().schema().fields().getLast())
        .isEqualTo(new Field("row", DataType.int64(), false));
    assertThat(dataset().partitionColumns()).isEmpty();
    assertThat(numbered(dataset(), Folder.options())).isEqualTo(range(0, ROWS));
    assertThat(numbered(dataset().rowIndex("other").rowIndex("row"), Folder.options()))
        .hasSize(ROWS);
  }

  @Test
  void filtersLeaveTheNumbersAsTheyAre() throws IOException {
    assertThat(numbered(dataset().where("id >= 44 and id != 60"), Folder.options()))
        .isEqualTo(LongStream.range(44, ROWS).filter(id -> id != 60).boxed().toList());
    StructuredDataset some = dataset().where("row >= 45 and row < 150 or row = 229");
    assertThat(numbered(some, Folder.options()))
        .isEqualTo(
            LongStream.concat(LongStream.range(45, 150), LongStream.of(229)).boxed().toList());
    try (DataLoader loader = DataLoader.of(some.columns("id"), Folder.options())) {
      assertThat(Delivery.ofEpoch(loader).rows()).hasSize(106);
      assertThat(loader.stats().read().skipped().statistics()).isEqualTo(40);
    }
  }

  @Test
  void filesThatTheirFoldersRuleOutAreCounted() throws IOException {
    folder.write("k=1/a.parquet", Folder.ID, Folder.ids(0, 12));
    folder.write("k=2/a.parquet", Folder.ID, Folder.ids(12, 20));
    folder.write("k=3/a.parquet", Folder.ID, Folder.ids(20, 50));
    StructuredDataset dataset = folder.dataset().hivePartitions().rowIndex("row");
    assertThat(dataset.schema().names()).containsExactly("id", "k", "row");
    assertThat(dataset.partitionColumns()).containsExactly("k");
    assertThat(numbered(dataset.where("k = 2 and row > 14"), Folder.options()))
        .isEqualTo(range(15, 20));
    StructuredDataset last = dataset.where("k = 3");
    assertThat(numbered(last, Folder.options())).isEqualTo(range(20, 50));
    assertThat(last.plan(Folder.options(), 0).prunedFiles()).hasSize(2);
    assertThat(numbered(dataset.where("k = 4"), Folder.options())).isEmpty();
  }

  @Test
  void shuffledRowsKeepTheirNumbers() throws IOException {
    StructuredDataset cached = dataset().cache(cache.toString(), "64MiB");
    List<List<Long>> orders = new ArrayList<>();
    for (Shuffle shuffle : List.of(Shuffle.splits(), Shuffle.window(70), Shuffle.global())) {
      LoaderOptions options = Folder.options().shuffle(shuffle).seed(5);
      List<Long> order = numbered(cached, options);
      assertThat(order).containsExactlyInAnyOrderElementsOf(range(0, ROWS));
      orders.add(order);
      assertThat(numbered(cached.where("id >= 20 and row < 190"), options))
          .containsExactlyInAnyOrderElementsOf(range(20, 190));
    }
    assertThat(orders).doesNotHaveDuplicates().doesNotContain(range(0, ROWS));
  }

  @Test
  void ranksHaveTheNumbersOfTheirRows() throws IOException {
    StructuredDataset cached = dataset().cache(cache.toString(), "64MiB");
    for (Shuffle shuffle :
        List.of(Shuffle.none(), Shuffle.window(50), Shuffle.global().passes(Shuffle.Passes.TWO))) {
      List<Long> all = new ArrayList<>();
      for (int rank = 0; rank < 3; rank++) {
        LoaderOptions options = Folder.options().shuffle(shuffle).rank(new Rank(rank, 3));
        all.addAll(numbered(cached.where("id != 7"), options));
      }
      List<Long> expected = new ArrayList<>(range(0, ROWS));
      expected.remove(7L);
      assertThat(all).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @Test
  void resumedEpochGoesOnWithTheNumbers() throws IOException {
    LoaderOptions options = Folder.options().shuffle(Shuffle.window(60)).seed(3);
    StructuredDataset dataset = dataset();
    List<Long> whole = ids(dataset, options);
    LoaderState state;
    try (DataLoader loader = DataLoader.of(dataset, options);
        var epoch = loader.iterator()) {
      epoch.next().close();
      epoch.next().close();
      state = loader.state();
    }
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      loader.resume(state);
      List<List<Object>> rest = Delivery.ofEpoch(loader).rows();
      assertThat(rest.stream().map(List::getLast)).isEqualTo(whole.subList(20, ROWS));
    }
  }

  @Seeded(runs = 20)
  void deletedRowsAreCounted(Random random) throws IOException {
    int[][] files = new int[1 + random.nextInt(3)][];
    Arrays.setAll(files, _ -> random.ints(1 + random.nextInt(3), 0, 400).toArray());
    List<Long> expected = new ArrayList<>();
    long before = 0;
    for (int[] groups : files) {
      long row = 0;
      for (int left = Arrays.stream(groups).sum(); left > 0; row++) {
        if (!DeletedRowsFiles.isDeleted(row)) {
          expected.add(before + row);
          left--;
        }
      }
      before += row;
    }
    StructuredDataset dataset =
        new DeletedRowsFiles(new ParquetFiles(), "parquet")
            .dataset(path, Tables.counting(files), random)
            .rowIndex("row")
            .cache(cache.toString(), "64MiB");
    Shuffle global = Shuffle.global().passes(GlobalShuffles.passes(random));
    for (Shuffle shuffle : List.of(Shuffle.none(), Shuffle.window(100), global)) {
      for (String where : List.of("id >= 0", "id >= 33", "row >= 100")) {
        LoaderOptions options =
            Folder.options().shuffle(shuffle).workers(random.nextInt(3)).batchSize(64);
        try (DataLoader loader = DataLoader.of(dataset.where(where), options)) {
          List<List<Object>> rows = Delivery.ofEpoch(loader).rows();
          assertThat(rows.stream().map(List::getLast))
              .isEqualTo(
                  rows.stream()
                      .map(row -> expected.get(((Long) row.getFirst()).intValue()))
                      .toList());
          long kept =
              LongStream.range(0, expected.size())
                  .filter(id -> keeps(where, id, expected.get((int) id)))
                  .count();
          assertThat(rows).hasSize((int) kept);
        }
      }
    }
  }

  private static boolean keeps(String where, long id, long row) {
    return switch (where) {
      case "id >= 33" -> id >= 33;
      case "row >= 100" -> row >= 100;
      default -> true;
    };
  }

  @Test
  void theCacheDoesNotKeepIt() throws IOException {
    StructuredDataset dataset = dataset().cache(cache.toString(), "64MiB");
    assertThat(ids(dataset.columns("row"), Folder.options().shuffle(Shuffle.global())))
        .hasSize(ROWS);
    assertThat(LocalCache.at(cache.toString()).files()).allMatch(file -> file.bytes() == 0);
  }

  @Test
  void itIsAColumnLikeOthers() throws IOException {
    StructuredDataset dataset = dataset();
    LoaderOptions options = Folder.options().batchSize(ROWS).features("x", "id", "row");
    try (DataLoader loader = DataLoader.of(dataset, options);
        Batch batch = loader.iterator().next()) {
      float[] values = (float[]) batch.tensor("x").toArray();
      for (int i = 0; i < ROWS; i++) {
        assertThat(values[2 * i + 1]).isEqualTo(i);
      }
    }
    try (DataLoader loader =
            DataLoader.of(dataset.cast("row", DataType.float32()), Folder.options());
        Batch batch = loader.iterator().next()) {
      assertThat((float[]) batch.tensor("row").toArray()).startsWith(0, 1, 2);
    }
    Failure.of(dataset.cast("row", DataType.int8()), Folder.options())
        .hasMessageContaining("Cannot read column 'row' as int8: ")
        .hasMessageContaining("128");
    assertThatThrownBy(() -> dataset.cast("row", DataType.date()).schema())
        .hasMessageContaining("Cannot cast column 'row'");
    try (RowDataset rows = dataset.openRows()) {
      assertThat(rows.get(150).get("row")).isEqualTo(150L);
    }
  }

  @Test
  void aNameThatIsTakenIsRefused() throws IOException {
    dataset();
    StructuredDataset files = new StructuredDataset(path.toString());
    assertThatThrownBy(() -> files.rowIndex("id").columns("id").schema())
        .hasMessage(
            "Cannot number rows in column 'id': there is a column of that name. Give rowIndex()"
                + " another name.");
    assertThatThrownBy(() -> files.rowIndex("ID").caseSensitive(false).schema())
        .hasMessageContaining("Cannot number rows in column 'ID'");
    assertThat(files.rowIndex("ID").schema().names()).containsExactly("id", "ID");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> files.rowIndex(" "))
        .withMessage("The column of the row index needs a name.");
  }

  @Test
  void sourcesOfMixturesHaveTheirOwn() throws IOException {
    StructuredDataset source = dataset();
    StructuredDataset mixed =
        new StructuredDataset(
            Mixture.of(source.where("id < 50"), 1)
                .and(source.where("id >= 50"), 1)
                .sourceColumn("source"));
    assertThat(mixed.schema().names()).containsExactly("id", "row", "source");
    assertThat(ids(mixed.columns("id", "row"), Folder.options())).hasSizeGreaterThan(90);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mixed.rowIndex("n"))
        .withMessageStartingWith("Cannot use rowIndex on a mixture: ");
  }
}
