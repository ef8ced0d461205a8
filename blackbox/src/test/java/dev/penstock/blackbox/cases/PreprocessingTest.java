package dev.penstock.blackbox.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.blackbox.contract.Workers;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.RoundRobinSplitStrategy;
import dev.penstock.tck.Table;
import dev.penstock.testing.Seeded;
import dev.penstock.transform.BlockSource;
import dev.penstock.transform.Bucketize;
import dev.penstock.transform.Clip;
import dev.penstock.transform.ColumnBlock;
import dev.penstock.transform.Fit;
import dev.penstock.transform.HashBuckets;
import dev.penstock.transform.Log1p;
import dev.penstock.transform.MinMax;
import dev.penstock.transform.OneHot;
import dev.penstock.transform.Preprocessing;
import dev.penstock.transform.Standardize;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What ready transforms are fitted to, by one pass over a dataset, and what a loader makes of
/// them.
class PreprocessingTest {
  private static final MathContext EXACT = new MathContext(60);
  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field("x", DataType.float64(), true),
              new Field("n", DataType.int32(), true),
              new Field("d", new DataType.Decimal(18, 5), true),
              new Field("s", DataType.string(), true)));
  private static final Fit[] FITS = {
    Fit.standardize("x", "d"), Fit.minMax("n"), Fit.oneHot("s", 50)
  };

  @TempDir Path folder;

  private StructuredDataset write(Table table) throws IOException {
    return new StructuredDataset(new ParquetFiles().write(folder, table, new Random(5)).toString());
  }

  private StructuredDataset write(Schema schema, List<List<Object>> rows) throws IOException {
    return write(new Table(schema, List.of(new Table.DataFile("part-0", List.of(rows)))));
  }

  private static Schema one(DataType type) {
    return Schema.of(List.of(new Field("a", type, true)));
  }

  private StructuredDataset column(DataType type, Object... values) throws IOException {
    List<List<Object>> rows = new ArrayList<>();
    for (Object value : values) {
      rows.add(Arrays.asList(value));
    }
    return write(one(type), rows);
  }

  private static Table random(Random random) {
    List<Table.DataFile> files = new ArrayList<>();
    for (int file = 1 + random.nextInt(4); file > 0; file--) {
      List<List<List<Object>>> groups = new ArrayList<>();
      for (int group = 1 + random.nextInt(4); group > 0; group--) {
        List<List<Object>> rows = new ArrayList<>();
        for (int row = 1 + random.nextInt(300); row > 0; row--) {
          rows.add(row(random));
        }
        groups.add(rows);
      }
      files.add(new Table.DataFile("part-" + files.size(), groups));
    }
    return new Table(SCHEMA, files);
  }

  private static List<Object> row(Random random) {
    List<Object> row = new ArrayList<>();
    row.add(random.nextInt(20) == 0 ? Double.NaN : 1e6 + random.nextGaussian());
    row.add(random.nextInt(1000) - 500);
    row.add(BigDecimal.valueOf(random.nextInt(1_000_000), 5));
    row.add("Zürich".substring(random.nextInt(6)));
    if (random.nextInt(4) == 0) {
      row.set(random.nextInt(4), null);
    }
    return row;
  }

  @Seeded(runs = 20)
  void fitIsThatOfExactArithmeticAndTheSameWithAnyWorkersAndSplits(Random random)
      throws IOException {
    Table table = random(random);
    StructuredDataset dataset = write(table);
    Preprocessing fitted = Preprocessing.fit(dataset, FITS);
    List<List<Object>> rows = table.files().stream().flatMap(file -> file.rows().stream()).toList();
    assertThat(fitted.transforms()).hasSize(4);
    Standardize x = (Standardize) fitted.transforms().get(0);
    Standardize d = (Standardize) fitted.transforms().get(1);
    check(x, column(rows, 0), 1e-8);
    check(d, column(rows, 2), 1e-12);
    List<Double> numbers = column(rows, 1);
    assertThat(fitted.transforms().get(2))
        .isEqualTo(
            MinMax.of(
                "n",
                numbers.stream().min(Double::compare).orElseThrow(),
                numbers.stream().max(Double::compare).orElseThrow()));
    Set<String> texts = new TreeSet<>(); // chars here are code points
    rows.stream().map(row -> (String) row.get(3)).filter(Objects::nonNull).forEach(texts::add);
    assertThat(fitted.transforms().get(3)).isEqualTo(OneHot.of("s", texts.toArray(String[]::new)));
    List<StructuredDataset> same =
        List.of(
            dataset, dataset.splitRows(1), dataset.splitStrategy(new RoundRobinSplitStrategy()));
    for (int workers : Workers.COUNTS) {
      for (StructuredDataset each : same) {
        LoaderOptions options = LoaderOptions.defaults().workers(workers);
        // Records compare doubles by their bits.
        assertThat(Preprocessing.fit(each.blocks(options), FITS)).isEqualTo(fitted);
      }
    }
    assertThat(Preprocessing.fromJson(fitted.toJson())).isEqualTo(fitted);
  }

  private static List<Double> column(List<List<Object>> rows, int column) {
    return rows.stream()
        .map(row -> row.get(column))
        .filter(Objects::nonNull)
        .map(value -> ((Number) value).doubleValue())
        .filter(value -> !Double.isNaN(value))
        .toList();
  }

  private static void check(Standardize fitted, List<Double> values, double error) {
    BigDecimal count = BigDecimal.valueOf(values.size());
    BigDecimal mean =
        values.stream()
            .map(BigDecimal::new)
            .reduce(BigDecimal.ZERO, BigDecimal::add)
            .divide(count, EXACT);
    BigDecimal variance =
        values.stream()
            .map(value -> new BigDecimal(value).subtract(mean).pow(2))
            .reduce(BigDecimal.ZERO, BigDecimal::add)
            .divide(count, EXACT);
    double exact = mean.doubleValue();
    assertThat(fitted.mean()).isCloseTo(exact, within(1e-14 * Math.abs(exact)));
    double deviation = variance.sqrt(EXACT).doubleValue();
    assertThat(fitted.deviation()).isCloseTo(deviation, within(error * deviation));
  }

  @Test
  void loaderDeliversWhatWasFitted() throws IOException {
    StructuredDataset dataset =
        write(
            SCHEMA,
            List.of(
                Arrays.asList(2.0, 0, new BigDecimal("1.00000"), "b"),
                Arrays.asList(4.0, 5, null, "a"),
                Arrays.asList(4.0, null, new BigDecimal("3.00000"), "b"),
                Arrays.asList(4.0, 10, new BigDecimal("1.00000"), null),
                Arrays.asList(5.0, 10, new BigDecimal("3.00000"), "a"),
                Arrays.asList(5.0, 0, new BigDecimal("1.00000"), "b"),
                Arrays.asList(7.0, 0, new BigDecimal("3.00000"), "b"),
                Arrays.asList(9.0, 0, null, "b")));
    Preprocessing fitted = Preprocessing.fit(dataset, FITS);
    assertThat(fitted)
        .hasToString(
            """
            standardize x: mean 5.0, deviation 2.0
            standardize d: mean 2.0, deviation 1.0
            min-max n: min 0.0, max 10.0
            one-hot s: categories [a, b], others refused\
            """);
    assertThat(fitted.outputs()).containsExactly("x", "d", "n", "s_a", "s_b");
    LoaderOptions options =
        LoaderOptions.defaults()
            .workers(2)
            .transform(fitted)
            .features("all", fitted.outputs().toArray(String[]::new));
    try (DataLoader loader = DataLoader.of(dataset, options);
        Batch batch = loader.iterator().next()) {
      float nan = Float.NaN;
      assertThat((float[]) batch.tensor("all").toArray())
          .containsExactly(
              -1.5f, -1, 0, 0, 1, //
              -0.5f, nan, 0.5f, 1, 0, //
              -0.5f, 1, nan, 0, 1, //
              -0.5f, -1, 1, 0, 0, //
              0, 1, 1, 1, 0, //
              0, -1, 0, 0, 1, //
              1, 1, 0, 0, 1, //
              2, nan, 0, 0, 1);
    }
  }

  @Test
  void blocksComeInTheOrderOfTheRows() throws IOException {
    StructuredDataset dataset = write(Tables.counting(new int[] {150_000, 10}, new int[] {20, 5}));
    for (int workers : Workers.COUNTS) {
      assertThat(
              dataset
                  .splitRows(1)
                  .blocks(LoaderOptions.defaults().workers(workers))
                  .mapBlocks(
                      List.of("id"),
                      block ->
                          block.rowCount() == 0
                              ? "none"
                              : block.longs("id")[0] + "+" + block.rowCount()))
          .containsExactly(
              "0+65536", "65536+65536", "131072+18928", "150000+10", "150010+20", "150030+5");
    }
  }

  @Test
  void blocksOfNoColumnOrOneTwiceAreRefused() throws IOException {
    BlockSource blocks =
        write(Tables.counting(new int[] {30})).blocks(LoaderOptions.defaults().workers(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> blocks.mapBlocks(List.of(), ColumnBlock::rowCount))
        .withMessage("columns needs at least one name.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> blocks.mapBlocks(List.of("id", "id"), ColumnBlock::rowCount))
        .withMessage("Cannot read column 'id' twice: name it once in columns.");
  }

  @Test
  void fitCountsTheRowsOfTheFilterOnly() throws IOException {
    StructuredDataset dataset = write(Tables.counting(new int[] {30, 30}, new int[] {40}));
    for (int workers : Workers.COUNTS) {
      LoaderOptions options = LoaderOptions.defaults().workers(workers);
      assertThat(
              Preprocessing.fit(
                      dataset.where("id >= 25 and id <= 65").blocks(options), Fit.minMax("id"))
                  .transforms())
          .containsExactly(MinMax.of("id", 25, 65));
    }
  }

  @Test
  void fitsBehindTransformsSeeWhatTheyMake() throws IOException {
    StructuredDataset dataset =
        column(DataType.float64(), 0.0, 100.0, Double.POSITIVE_INFINITY, -3.0, null);
    assertThat(Preprocessing.of(Clip.of("a", 0, 200)).fitNext(dataset, Fit.bucketize("a", 4)))
        .isEqualTo(Preprocessing.of(Clip.of("a", 0, 200), Bucketize.of("a", 50, 100, 150)));
    Preprocessing hashed =
        Preprocessing.of(Clip.of("a", 0, 200), Bucketize.of("a", 50, 150))
            .fitNext(dataset, Fit.oneHot("a", 3));
    assertThat(hashed.outputs()).containsExactly("a_0", "a_1", "a_2");
  }

  @Test
  void bucketsHaveOneWidth() throws IOException {
    StructuredDataset dataset = column(DataType.float64(), 12.0, -3.5, 0.1, Double.NaN);
    // numpy 2.4.6: linspace(-3.5, 12, 6)[1:-1]
    double[] numpy = {-0.3999999999999999, 2.7, 5.800000000000001, 8.9};
    Bucketize fitted =
        (Bucketize) Preprocessing.fit(dataset, Fit.bucketize("a", 5)).transforms().getFirst();
    assertThat(fitted.edges()).hasSize(4);
    for (int i = 0; i < 4; i++) {
      assertThat(fitted.edges().get(i)).isCloseTo(numpy[i], within(1e-14));
    }
    assertThat(Preprocessing.fit(dataset, Fit.bucketize("a", 1)).transforms())
        .containsExactly(Bucketize.of("a"));
  }

  @Test
  void constantColumnsAreDividedByOne() throws IOException {
    StructuredDataset dataset = column(DataType.float64(), 0.1, 0.1, null, 0.1);
    assertThat(Preprocessing.fit(dataset, Fit.standardize("a")).transforms())
        .containsExactly(Standardize.of("a", 0.1, 0));
    assertThat(Preprocessing.fit(dataset, Fit.minMax("a")).transforms())
        .containsExactly(MinMax.of("a", 0.1, 0.1));
    assertThat(Preprocessing.fit(dataset, Fit.bucketize("a", 7)).transforms())
        .containsExactly(Bucketize.of("a"));
  }

  @Test
  void categoriesAreSortedByWhatTheyAre() throws IOException {
    assertThat(categories(column(DataType.int64(), 10L, 9L, null, -1L, 9L)))
        .containsExactly("-1", "9", "10");
    assertThat(categories(column(DataType.bool(), true, null, false)))
        .containsExactly("false", "true");
    assertThat(categories(column(DataType.string(), "b", "\uD83D\uDE00", "", "\uFFFD", "a")))
        .containsExactly("", "a", "b", "\uFFFD", "\uD83D\uDE00");
  }

  private static List<String> categories(StructuredDataset dataset) {
    return ((OneHot) Preprocessing.fit(dataset, Fit.oneHot("a", 5)).transforms().getFirst())
        .categories();
  }

  private static void refused(StructuredDataset dataset, Fit fit, String message) {
    for (int workers : Workers.COUNTS) {
      assertThatThrownBy(() ->
              Preprocessing.fit(dataset.blocks(LoaderOptions.defaults().workers(workers)), fit))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(message);
    }
  }

  @Test
  void columnsWithoutValuesAreAnErrorThatNamesThem() throws IOException {
    String numbers = "Cannot fit column 'a': there is no number in it but nulls and NaN.";
    StructuredDataset nothing = column(DataType.float32(), null, Float.NaN);
    refused(nothing, Fit.standardize("a"), numbers);
    refused(nothing, Fit.minMax("a"), numbers);
    refused(nothing, Fit.bucketize("a", 3), numbers);
    refused(nothing.where("a = 5"), Fit.minMax("a"), numbers);
    refused(
        column(DataType.string(), null, null),
        Fit.oneHot("a", 3),
        "Cannot fit column 'a': there is no value in it but nulls.");
    refused(column(DataType.float64()), Fit.standardize("a"), numbers);
  }

  @Test
  void columnsThatCannotBeFittedAreAnErrorThatNamesThem() throws IOException {
    StructuredDataset infinite = column(DataType.float64(), 1.0, Double.NEGATIVE_INFINITY);
    String infinity =
        "Cannot fit column 'a': it has an infinity. Filter such rows, or fit behind a Clip.";
    refused(infinite, Fit.standardize("a"), infinity);
    refused(infinite, Fit.minMax("a"), infinity);
    StructuredDataset wide = column(DataType.float64(), 1e308, -1e308);
    String far =
        "Cannot fit column 'a': its numbers are too far apart for a double. Fit behind a Clip.";
    refused(wide, Fit.standardize("a"), far);
    refused(wide, Fit.minMax("a"), far);
    refused(wide, Fit.bucketize("a", 2), far);
    refused(wide, Fit.minMax("b"), "Cannot fit column 'b': no such column. Columns are: [a].");
    refused(
        wide,
        Fit.oneHot("a", 3),
        "Cannot transform column 'a': it is float64 but expected strings, integers or booleans.");
    StructuredDataset texts = column(DataType.string(), "x", "y", "z");
    refused(
        texts,
        Fit.minMax("a"),
        "Cannot transform column 'a': it is string but expected numbers or booleans.");
    refused(
        texts,
        Fit.oneHot("a", 2),
        "Cannot fit column 'a': it has more than 2 categories. Allow more, or use HashBuckets.");
    assertThatThrownBy(() -> Preprocessing.fit(wide, Fit.minMax("a"), Fit.standardize("a")))
        .hasMessage("Cannot fit column 'a' twice: fit it again with fitNext.");
    assertThatThrownBy(() -> Fit.minMax()).hasMessage("A fit needs at least one column.");
  }

  @Test
  void nothingToFitReadsNothing() {
    StructuredDataset missing = new StructuredDataset(folder.resolve("missing").toString());
    assertThat(Preprocessing.fit(missing)).isEqualTo(Preprocessing.of());
  }

  @Test
  void unknownValuesOfOtherDataNameTheirRows() throws IOException {
    StructuredDataset dataset = column(DataType.string(), "x", "y");
    LoaderOptions options =
        LoaderOptions.defaults().workers(1).transform(Preprocessing.of(OneHot.of("a", "x")));
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      assertThatThrownBy(() -> loader.iterator().next())
          .hasMessageContaining("Cannot transform rows [0, 2) of ")
          .hasMessageContaining("'y' is not one of its 1 categories");
    }
  }

  @Test
  void wrongColumnIsFoundBeforeTheFirstEpoch() throws IOException {
    StructuredDataset dataset = column(DataType.string(), "x", "y");
    LoaderOptions options = LoaderOptions.defaults().transform(Log1p.of("a"));
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      assertThatThrownBy(loader::iterator)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Cannot transform column 'a': it is string but expected numbers");
    }
  }

  @Test
  void bucketsOfHashesAreInRangeAndNullsStay() throws IOException {
    StructuredDataset dataset = column(DataType.string(), "ATL", null, "ORD", "ATL");
    LoaderOptions options =
        LoaderOptions.defaults().nulls(NullPolicy.mask()).transform(HashBuckets.of("a", 1000));
    try (DataLoader loader = DataLoader.of(dataset, options);
        Batch batch = loader.iterator().next()) {
      int[] buckets = (int[]) batch.tensor("a").toArray();
      assertThat(buckets[0]).isEqualTo(758).isEqualTo(buckets[3]);
      assertThat(new HashSet<>(List.of(buckets[0], buckets[1], buckets[2]))).hasSize(3);
      assertThat((boolean[]) batch.tensor("a.mask").toArray())
          .containsExactly(true, false, true, true);
    }
  }
}
