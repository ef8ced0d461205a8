package dev.penstock.blackbox.contract;

import static dev.penstock.filter.Filter.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.EpochIterator;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.files.DeletedRowsFiles;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.filter.Filter;
import dev.penstock.filter.Fold;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.Shuffle;
import dev.penstock.stats.SkippedRows;
import dev.penstock.tck.Table;
import dev.penstock.tck.Values;
import dev.penstock.tck.internal.NaiveFilter;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What every format promises of filters: exactly the rows that a plain evaluation keeps, in order,
/// in exact batches.
class FilterContractTest extends FileContract {

  static List<ContractFiles> files() {
    return ContractFiles.ofOrder();
  }

  private static LoaderOptions options() {
    return LoaderOptions.defaults().nulls(NullPolicy.mask());
  }

  private static LoaderOptions random(Random random) {
    int[] batchSizes = {1, 7, 100, 1024};
    OutputFormat[] outputs = OutputFormat.values();
    return options()
        .batchSize(batchSizes[random.nextInt(batchSizes.length)])
        .workers(Workers.any(random))
        .output(outputs[random.nextInt(outputs.length)]);
  }

  /// Makes a table whose values repeat, are extreme, or rise.
  private Table table(Random random) {
    Table made = Table.random(random, random.nextInt(3), writer());
    Schema schema = made.schema();
    List<List<Object>> pools = new ArrayList<>();
    for (Field field : schema.fields()) {
      pools.add(random.nextInt(3) == 0 ? List.of() : pool(random, field));
    }
    boolean sorted = random.nextInt(3) == 0 && NaiveFilter.isComparable(type(schema, 0));
    List<Table.DataFile> files = new ArrayList<>();
    for (Table.DataFile file : made.files()) {
      List<List<List<Object>>> groups = new ArrayList<>();
      for (List<List<Object>> group : file.groups()) {
        List<List<Object>> rows = new ArrayList<>();
        for (List<Object> row : group) {
          List<Object> values = new ArrayList<>(row);
          for (int c = 0; c < values.size(); c++) {
            List<Object> pool = pools.get(c);
            if (values.get(c) != null && !pool.isEmpty()) {
              values.set(c, pool.get(random.nextInt(pool.size())));
            }
          }
          rows.add(values);
        }
        if (sorted) {
          rows.sort(Comparator.comparing(row -> String.valueOf(row.getFirst())));
        }
        groups.add(rows);
      }
      files.add(new Table.DataFile(file.name(), groups));
    }
    return new Table(schema, files);
  }

  private static DataType type(Schema schema, int column) {
    return schema.fields().get(column).type();
  }

  private static List<Object> pool(Random random, Field field) {
    List<Object> pool = new ArrayList<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      pool.add(Values.random(field.type(), random));
    }
    switch (field.type()) {
      case DataType.Floating(int bits) when bits == 64 ->
          pool.addAll(List.of(Double.NaN, -0.0, 0.0, Double.NEGATIVE_INFINITY, Double.MAX_VALUE));
      case DataType.Floating _ -> pool.addAll(List.of(Float.NaN, -0f, 0f, Float.POSITIVE_INFINITY));
      case DataType.Int(int bits, boolean signed) ->
          pool.addAll(
              List.of(
                  Values.ofLong(field.type(), signed ? Long.MIN_VALUE >> (64 - bits) : 0),
                  Values.ofLong(field.type(), signed ? Long.MAX_VALUE >> (64 - bits) : 1)));
      case DataType.Utf8 _ -> pool.addAll(List.of("", "a", "\uffff", "\ud83d\ude00"));
      default -> {
        // Values of other types have no special ones.
      }
    }
    Collections.shuffle(pool, random);
    return pool.subList(0, 1 + random.nextInt(pool.size()));
  }

  @Seeded(runs = 150)
  void exactlyTheRowsThatAPlainEvaluationKeepsAreDelivered(Random random) throws IOException {
    Table table = table(random);
    List<List<Object>> rows = table.rows();
    NaiveFilter wanted = FoldFilters.random(random, table.schema(), rows, random.nextInt(3));
    List<List<Object>> expected = rows.stream().filter(wanted::keeps).toList();
    LoaderOptions options = random(random).dropLast(random.nextInt(4) == 0);
    int size = options.batching().size();
    int delivered = expected.size() - (options.batching().dropLast() ? expected.size() % size : 0);
    boolean asText = random.nextBoolean();
    StructuredDataset files = writer().dataset(folder, table, random);
    StructuredDataset dataset =
        asText ? files.where(wanted.filter().toString()) : files.filter(wanted.filter());

    try (DataLoader loader = DataLoader.of(dataset, options)) {
      for (int epoch = 0; epoch < 2; epoch++) {
        Delivery delivery = Delivery.ofEpoch(loader);

        assertThat(delivery.rows())
            .as("%s where %s", table, wanted.filter())
            .isEqualTo(expected.subList(0, delivered));
        List<Integer> sizes = new ArrayList<>();
        for (int left = delivered; left > 0; left -= size) {
          sizes.add(Math.min(left, size));
        }
        assertThat(delivery.batchRows()).isEqualTo(sizes);
        SkippedRows skipped = loader.stats().read().skipped();
        if (skipped.files() == 0) { // else nobody knows how many rows they have
          assertThat(skipped.total()).isEqualTo(rows.size() - expected.size());
        }
      }
    }
  }

  /// Later epochs know what the first have found, also of rows that are cut otherwise; a loader
  /// that begins with the epoch knows nothing.
  @Seeded(runs = 40)
  void eachEpochIsThatOfALoaderThatBeginsWithIt(Random random) throws IOException {
    Table table = table(random);
    NaiveFilter wanted = FoldFilters.random(random, table.schema(), table.rows(), 1);
    List<List<Object>> expected = table.rows().stream().filter(wanted::keeps).toList();
    Shuffle[] shuffles = {
      Shuffle.none(), Shuffle.splits(), Shuffle.window(1 + random.nextInt(table.rows().size() + 1))
    };
    LoaderOptions options =
        random(random).shuffle(shuffles[random.nextInt(shuffles.length)]).seed(random.nextLong());
    StructuredDataset dataset = writer().dataset(folder, table, random).filter(wanted.filter());
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      for (int epoch = 0; epoch < 4; epoch++) {
        if (random.nextBoolean()) { // is left before its end
          try (EpochIterator<Batch> left = loader.iterator()) {
            for (int i = random.nextInt(4); i > 0 && left.hasNext(); i--) {
              left.next().close();
            }
          }
          loader.setEpoch(epoch);
        }
        Delivery known = Delivery.ofEpoch(loader);
        int skipped = Math.toIntExact(loader.stats().read().skipped().total());
        assertThat(known.rows()).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(skipped).isEqualTo(table.rows().size() - expected.size());
        try (DataLoader other = DataLoader.of(dataset, options.workers(Workers.any(random)))) {
          other.setEpoch(epoch);
          assertThat(known).isEqualTo(Delivery.ofEpoch(other));
        }
      }
    }
  }

  @Seeded(runs = 20)
  void filterMayLookAtColumnsThatAreNotDelivered(Random random) throws IOException {
    Table table = table(random);
    NaiveFilter wanted = FoldFilters.random(random, table.schema(), table.rows(), 1);
    int column = random.nextInt(table.schema().size());
    StructuredDataset files = writer().dataset(folder, table, random);
    StructuredDataset dataset =
        files.columns(table.schema().fields().get(column).name()).filter(wanted.filter());
    List<List<Object>> expected =
        table.rows().stream()
            .filter(wanted::keeps)
            .map(row -> Collections.singletonList(row.get(column)))
            .toList();
    assertThat(files.rowCount()).isEqualTo(table.rows().size());
    assertThat(dataset.rowCount()).isEqualTo(expected.size());
    try (DataLoader loader = DataLoader.of(dataset, random(random))) {
      for (int epoch = 0; epoch < 2; epoch++) {
        assertThat(Delivery.ofEpoch(loader).rows()).isEqualTo(expected);
      }
    }
  }

  /// Each row is in one fold, that of its file's name and its number in it.
  @Seeded(runs = 20)
  void rowsWithoutAKeyAreDealtOneByOne(Random random) throws IOException {
    Table table = table(random);
    StructuredDataset dataset = writer().dataset(folder, table, random);
    Fold fold = Filter.fold(List.of(), 1 + random.nextInt(4), random.nextLong());
    List<DataType> types = List.of(new DataType.Utf8(), new DataType.Int(64, true));
    List<List<Object>> found = new ArrayList<>();
    for (int number = 0; number < fold.k(); number++) {
      List<List<Object>> expected = new ArrayList<>();
      int file = 0;
      for (DataFileInfo info : dataset.files()) {
        List<List<Object>> rows =
            table.files().get(file++).groups().stream().flatMap(List::stream).toList();
        long stored = 0;
        for (List<Object> row : rows) {
          while (writer().hidesRows() && DeletedRowsFiles.isDeleted(stored)) {
            stored++;
          }
          if (NaiveFold.of(fold, types, List.of(info.location().name(), stored)) == number) {
            expected.add(row);
          }
          stored++;
        }
      }
      try (DataLoader loader = DataLoader.of(dataset.filter(fold.eq(number)), random(random))) {
        assertThat(Delivery.ofEpoch(loader).rows()).isEqualTo(expected);
        found.addAll(expected);
      }
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(table.rows());
  }

  private StructuredDataset counting(int[]... groups) throws IOException {
    Table table = Tables.counting(groups);
    return writer().dataset(folder, table, new Random(4));
  }

  @Test
  void batchesAreFullBehindAnyFilter() throws IOException {
    StructuredDataset dataset =
        counting(new int[] {40_000, 20_000}, new int[] {50_000}).where("id >= 17");
    for (int workers : Workers.COUNTS) {
      try (DataLoader loader = DataLoader.of(dataset, options().batchSize(1000).workers(workers))) {
        Delivery delivery = Delivery.ofEpoch(loader);
        assertThat(delivery.batchRows()).hasSize(110).startsWith(1000).endsWith(983);
        assertThat(delivery.ids().getFirst()).isEqualTo(17);
        assertThat(delivery.ids().getLast()).isEqualTo(109_999);
      }
    }
  }

  @Test
  void lastBatchIsDroppedWhereItsSizeShowsLate() throws IOException {
    StructuredDataset dataset = counting(new int[] {81, 46}).where("id != 0 and id < 65");
    for (OutputFormat output : OutputFormat.values()) {
      for (int workers : Workers.COUNTS) {
        LoaderOptions options = options().batchSize(7).dropLast(true).output(output);
        try (DataLoader loader = DataLoader.of(dataset, options.workers(workers))) {
          for (int epoch = 0; epoch < 10; epoch++) {
            assertThat(Delivery.ofEpoch(loader).ids()).hasSize(63).endsWith(63L);
          }
        }
      }
    }
  }

  @Test
  void filterThatKeepsNothingGivesAnEmptyEpoch() throws IOException {
    for (String none : List.of("id < 0", "id is null", "id in (1, 2) and id > 2")) {
      StructuredDataset dataset = counting(new int[] {30, 5}).where(none);
      for (int workers : Workers.COUNTS) {
        try (DataLoader loader = DataLoader.of(dataset, options().workers(workers))) {
          assertThat(Delivery.ofEpoch(loader).batchRows()).isEmpty();
        }
      }
    }
  }

  @Test
  void numberOfBatchesIsTheNumberDeliveredOrNotKnown() throws IOException {
    StructuredDataset dataset = counting(new int[] {30, 30});
    DataLoader all = DataLoader.of(dataset.where("id >= 0"), options().batchSize(7));
    try (all) {
      try {
        assertThat(all.batchesPerEpoch()).isEqualTo(9);
      } catch (IllegalStateException e) { // a format without statistics cannot tell
        assertThat(e).hasMessageStartingWith("Cannot tell the number of batches");
      }
      assertThat(Delivery.ofEpoch(all).batchRows()).hasSize(9);
    }
    try (DataLoader some = DataLoader.of(dataset.where("id > 3 and id != 40"), options())) {
      assertThatThrownBy(some::batchesPerEpoch)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "Cannot tell the number of batches: how many rows the filter keeps shows only when"
                  + " they are read. stepsPerEpoch(n) promises a number.");
    }
  }

  @Test
  void filterThatDoesNotFitTheColumnsIsRefusedWithBothNames() throws IOException {
    assertRefused(col("id").eq("seven"), "'id'", "int64", "'seven'");
    assertRefused(col("number").isNull(), "'number'", "no such column", "[id]");
  }

  private void assertRefused(Filter wrong, String... parts) throws IOException {
    StructuredDataset dataset = counting(new int[] {3}).filter(wrong);
    try (DataLoader loader = DataLoader.of(dataset, options())) {
      assertThatThrownBy(loader::iterator)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Cannot ")
          .hasMessageContainingAll(parts);
    }
  }
}
