package dev.penstock.blackbox.cases;

import static dev.penstock.blackbox.files.Schemas.nullable;
import static dev.penstock.tck.Values.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.Shape;
import dev.penstock.batch.Tensor;
import dev.penstock.blackbox.contract.Delivery;
import dev.penstock.blackbox.contract.Failure;
import dev.penstock.blackbox.contract.Leaks;
import dev.penstock.blackbox.files.ParquetFiles;
import dev.penstock.blackbox.files.Schemas;
import dev.penstock.blackbox.files.Tables;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.split.Shuffle;
import dev.penstock.tck.Table;
import dev.penstock.tck.Values;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The forms of a batch: tensors, arrays, lists, feature matrices, and nulls in each.
class OutputTest {
  private static final DataType INT32 = new DataType.Int(32, true);
  private static final DataType FLOAT32 = new DataType.Floating(32);

  @TempDir Path folder;

  private StructuredDataset dataset(Table table) throws IOException {
    return new StructuredDataset(new ParquetFiles().write(folder, table, new Random(1)).toString());
  }

  /// Makes a file with a column per type: its values, then a null in every other row.
  private StructuredDataset dataset(Schema schema, List<List<Object>> rows) throws IOException {
    return dataset(new Table(schema, List.of(new Table.DataFile("part-0", List.of(rows)))));
  }

  private static LoaderOptions options() {
    return LoaderOptions.defaults().workers(1);
  }

  @ParameterizedTest
  @EnumSource(OutputFormat.class)
  void everyTypeComesAsItWasWritten(OutputFormat output) throws IOException {
    Schema schema = Schemas.ofAllTypes();
    Table table =
        new Table(
            schema,
            List.of(
                Table.file(new Random(1), schema, "part-0", 100, 50),
                Table.file(new Random(2), schema, "part-1", 30)));
    LoaderOptions options = options().batchSize(64).output(output).nulls(NullPolicy.mask());
    try (DataLoader loader = DataLoader.of(dataset(table), options)) {
      assertThat(Delivery.ofEpoch(loader).rows()).isEqualTo(table.rows());
    }
  }

  @Test
  void columnsThatAreNoNumbersAreLists() throws IOException {
    Schema schema = nullable("s", new DataType.Utf8(), "b", new DataType.Binary(), "i", INT32);
    StructuredDataset dataset = dataset(schema, List.of(row("ä", "00ff", 1), row(null, null, 2)));
    try (DataLoader loader = DataLoader.of(dataset, options());
        Batch batch = loader.iterator().next()) {
      assertThat(batch.strings("s")).containsExactly("ä", null);
      assertThat(batch.list("b").getFirst()).isEqualTo(new byte[] {0, -1});
      assertThat(batch.list("b").get(1)).isNull();
      assertThatThrownBy(() -> batch.strings("b"))
          .isInstanceOf(NoSuchElementException.class)
          .hasMessage("Cannot read column 'b' as strings: its values are not strings. Use list().");
      assertThatThrownBy(() -> batch.tensor("s"))
          .hasMessage(
              "Cannot read column 's' as Tensor: it is held as a list. Use strings(\"s\"), or the"
                  + " loader's option strings(\"s\", ...), which makes numbers of them.");
      assertThatThrownBy(() -> batch.list("i"))
          .hasMessage("Cannot read column 'i' as List: it is held as a tensor. Use tensor(\"i\").");
      assertThatThrownBy(() -> batch.tensor("x"))
          .hasMessage(
              "Cannot read column 'x': no such column in the batch. Columns are: [s, b, i].");
    }
  }

  @Test
  void arraysHaveTheTypesThatHoldTheValues() throws IOException {
    Schema schema =
        nullable(
            "s", new DataType.Utf8(),
            "f", FLOAT32,
            "u8", new DataType.Int(8, false),
            "u32", new DataType.Int(32, false),
            "z", new DataType.Bool());
    StructuredDataset dataset = dataset(schema, List.of(row("a", 0.5f, 255, 4294967295L, true)));
    LoaderOptions options = options().output(OutputFormat.ARRAY);
    try (DataLoader loader = DataLoader.of(dataset, options);
        Batch batch = loader.iterator().next()) {
      assertThat(batch.array("s", String[].class)).containsExactly("a");
      assertThat(batch.array("f", float[].class)).containsExactly(0.5f);
      assertThat(batch.array("u8", short[].class)).containsExactly(255);
      assertThat(batch.array("u32", long[].class)).containsExactly(4294967295L);
      assertThat(batch.array("z", boolean[].class)).containsExactly(true);
    }
  }

  @Seeded(runs = 25)
  void featureMatrixHasTheColumnsSideBySideInEachRow(Random random) throws IOException {
    Schema schema = Schemas.of(Tables.NUMERIC);
    Table table = Table.random(random, schema);
    List<String> names = new ArrayList<>(schema.names());
    Collections.shuffle(names, random);
    names = names.subList(0, 1 + random.nextInt(names.size()));
    NullPolicy[] policies = {NullPolicy.nan(), NullPolicy.fill(-1), NullPolicy.mask()};
    NullPolicy policy = policies[random.nextInt(3)];
    OutputFormat[] outputs = {OutputFormat.TENSOR, OutputFormat.ARRAY, OutputFormat.MAP};
    OutputFormat output = outputs[random.nextInt(outputs.length)];
    float nullValue = policy instanceof NullPolicy.Fill ? -1 : Float.NaN;
    List<Float> expected = new ArrayList<>();
    for (List<Object> row : table.rows()) {
      for (String name : names) {
        Object value = row.get(schema.indexOf(name));
        DataType type = schema.find(name).orElseThrow().type();
        expected.add(value == null ? nullValue : toFloat(type, value));
      }
    }
    LoaderOptions options =
        options()
            .batchSize(1 + random.nextInt(100))
            .workers(random.nextInt(3))
            .nulls(policy)
            .output(output)
            .features("x", names);
    List<Float> delivered = new ArrayList<>();
    StructuredDataset dataset = dataset(table).columns(names);
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      for (Batch batch : loader) {
        try (batch) {
          assertThat(batch.names()).containsExactly("x");
          addFloats(batch, output, names.size(), delivered);
        }
      }
    }
    assertThat(delivered).isEqualTo(expected);
  }

  @Seeded(runs = 25)
  void featureMatrixOfAShuffledWindowHasTheRowsOfItsOtherColumns(Random random) throws IOException {
    List<DataType> types = new ArrayList<>(Tables.NUMERIC);
    types.add(FLOAT32);
    Schema numbers = Schemas.of(types);
    List<Field> fields = new ArrayList<>(numbers.fields());
    fields.add(new Field("id", new DataType.Int(64, true), false));
    Schema schema = Schema.of(fields);
    Table table = numbered(Table.random(random, schema));
    List<String> names = new ArrayList<>(numbers.names());
    Collections.shuffle(names, random);
    names = names.subList(0, 1 + random.nextInt(names.size()));
    NullPolicy[] policies = {NullPolicy.nan(), NullPolicy.fill(-1), NullPolicy.mask()};
    NullPolicy policy = policies[random.nextInt(3)];
    float nullValue = policy instanceof NullPolicy.Fill ? -1 : Float.NaN;
    List<String> columns = new ArrayList<>(names);
    columns.add("id");
    LoaderOptions options =
        options()
            .batchSize(1 + random.nextInt(100))
            .workers(random.nextInt(5))
            .shuffle(Shuffle.window(1 + random.nextInt(200)))
            .nulls(policy)
            .features("x", names);
    List<Long> ids = new ArrayList<>();
    try (DataLoader loader = DataLoader.of(dataset(table).columns(columns), options)) {
      for (Batch batch : loader) {
        try (batch) {
          List<Float> expected = new ArrayList<>();
          for (int row = 0; row < batch.rowCount(); row++) {
            long id = batch.tensor("id").getLong(row);
            ids.add(id);
            for (String name : names) {
              Object value = table.rows().get((int) id).get(schema.indexOf(name));
              DataType type = schema.find(name).orElseThrow().type();
              expected.add(value == null ? nullValue : toFloat(type, value));
            }
          }
          List<Float> delivered = new ArrayList<>();
          addFloats(batch, OutputFormat.TENSOR, names.size(), delivered);
          assertThat(delivered).isEqualTo(expected);
        }
      }
    }
    assertThat(ids)
        .containsExactlyInAnyOrderElementsOf(
            LongStream.range(0, table.rows().size()).boxed().toList());
  }

  /// Returns a table whose last column has the numbers of its rows.
  private static Table numbered(Table table) {
    long[] next = {0};
    List<Table.DataFile> files = new ArrayList<>();
    for (Table.DataFile file : table.files()) {
      List<List<List<Object>>> groups = new ArrayList<>();
      for (List<List<Object>> group : file.groups()) {
        List<List<Object>> rows = new ArrayList<>();
        for (List<Object> row : group) {
          List<Object> changed = new ArrayList<>(row);
          changed.set(changed.size() - 1, next[0]++);
          rows.add(changed);
        }
        groups.add(rows);
      }
      files.add(new Table.DataFile(file.name(), groups));
    }
    return new Table(table.schema(), files);
  }

  private static void addFloats(
      Batch batch, OutputFormat output, int width, List<Float> delivered) {
    switch (output) {
      case TENSOR -> {
        Tensor matrix = batch.tensor("x");
        assertThat(matrix.dtype()).isEqualTo(DType.FLOAT32);
        assertThat(matrix.shape()).isEqualTo(Shape.of(batch.rowCount(), width));
        for (int i = 0; i < matrix.shape().elementCount(); i++) {
          delivered.add(matrix.getFloat(i));
        }
      }
      case ARRAY -> {
        for (float value : batch.array("x", float[].class)) {
          delivered.add(value);
        }
      }
      case MAP -> {
        for (Object row : batch.list("x")) {
          assertThat((float[]) row).hasSize(width);
          for (float value : (float[]) row) {
            delivered.add(value);
          }
        }
      }
      case ARROW -> throw new AssertionError("has no matrices");
    }
  }

  @Test
  void columnsOutsideTheMatrixComeOnTheirOwn() throws IOException {
    Schema schema = nullable("a", FLOAT32, "b", INT32, "label", INT32);
    StructuredDataset dataset = dataset(schema, List.of(row(1f, 2, 3)));
    try (DataLoader loader = DataLoader.of(dataset, options().features("x", "b", "a"));
        Batch batch = loader.iterator().next()) {
      assertThat(batch.names()).containsExactly("label", "x");
      assertThat((float[]) batch.tensor("x").toArray()).containsExactly(2f, 1f);
      assertThat(batch.tensor("label").getInt(0)).isEqualTo(3);
    }
  }

  private void refused(StructuredDataset dataset, LoaderOptions options, String message) {
    try (DataLoader loader = DataLoader.of(dataset, options)) {
      assertThatIllegalArgumentException().isThrownBy(loader::iterator).withMessage(message);
    }
    Leaks.assertNoThreads();
  }

  @Test
  void matrixOfTextIsRefused() throws IOException {
    refused(
        dataset(nullable("s", new DataType.Utf8()), List.of(row("a"))),
        options().features("x", "s"),
        "Cannot put column 's' of type string into feature matrix 'x': only numeric and boolean"
            + " columns fit. Leave it out of the matrix, and it comes as a column of its own, of"
            + " numbers with StringEncoding.codes().");
  }

  @Test
  void matrixOfAnUnknownColumnIsRefused() throws IOException {
    refused(
        dataset(nullable("a", INT32), List.of(row(1))),
        options().features("x", "b"),
        "Cannot put column 'b' into feature matrix 'x': no such column in the dataset. Columns"
            + " are: [a].");
  }

  @Test
  void matrixWithTheNameOfAColumnIsRefused() throws IOException {
    refused(
        dataset(nullable("a", INT32, "b", INT32), List.of(row(1, 2))),
        options().features("b", "a"),
        "Cannot make a batch with two columns named 'b'. Leave one of them out, or rename the matrix.");
  }

  @Test
  void matrixWithoutColumnsOrWithOneTwiceIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options().features("x"))
        .withMessage("Feature matrix 'x' needs at least one column.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options().features("x", "a", "a"))
        .withMessage("Feature matrix 'x' names a column twice: [a, a].");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options().features("x", "a").features("x", "b"))
        .withMessage("There is a feature matrix 'x' already.");
  }

  @Test
  void nullsAreNaNInFloatingPointColumnsByDefault() throws IOException {
    Schema schema =
        nullable("h", new DataType.Floating(16), "f", FLOAT32, "d", new DataType.Floating(64));
    StructuredDataset dataset = dataset(schema, List.of(row(null, null, null), row(1f, 2f, 3.0)));
    try (DataLoader loader = DataLoader.of(dataset, options());
        Batch batch = loader.iterator().next()) {
      for (String name : schema.names()) {
        assertThat(batch.tensor(name).getDouble(0)).isNaN();
        assertThat(batch.tensor(name).getDouble(1)).isGreaterThan(0);
      }
    }
  }

  @Test
  void fillTakesThePlaceOfEveryNull() throws IOException {
    Schema schema =
        nullable(
            "f", FLOAT32,
            "i", INT32,
            "u64", new DataType.Int(64, false),
            "z", new DataType.Bool(),
            "day", new DataType.Date(),
            "s", new DataType.Utf8());
    StructuredDataset dataset = dataset(schema, List.of(row(null, null, null, null, null, null)));
    for (OutputFormat output : List.of(OutputFormat.TENSOR, OutputFormat.ARRAY)) {
      LoaderOptions options = options().nulls(NullPolicy.fill(1)).output(output);
      try (DataLoader loader = DataLoader.of(dataset, options)) {
        List<Object> row = Delivery.ofEpoch(loader).rows().getFirst();
        assertThat(row)
            .containsExactly(
                1f, 1, java.math.BigInteger.ONE, true, java.time.LocalDate.of(1970, 1, 2), null);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "int8 | 300 | whole numbers in [-128, 128)",
        "int32 | 0.5 | whole numbers in [-2147483648, 2147483648)",
        "uint64 | -1 | whole numbers in [0, 18446744073709551616)",
        "bool | 2 | whole numbers in [0, 2)",
        "int16 | NaN | whole numbers in [-32768, 32768)"
      })
  void fillThatDoesNotFitIsRefused(String type, double value, String fits) throws IOException {
    DataType column =
        Table.TYPES.stream().filter(t -> t.toString().equals(type)).findFirst().orElseThrow();
    Number fill = value == Math.rint(value) ? (Number) (long) value : (Number) value;
    refused(
        dataset(nullable("c", column), List.of(row((Object) null))),
        options().nulls(NullPolicy.fill(fill)),
        "Cannot fill nulls of column 'c' with "
            + fill
            + ": its type "
            + type
            + " takes "
            + fits
            + ". Choose such a number, or NullPolicy.mask().");
  }

  @Test
  void fillThatOverflowsAFloatIsRefused() throws IOException {
    refused(
        dataset(nullable("c", FLOAT32), List.of(row((Object) null))),
        options().nulls(NullPolicy.fill(1e300)),
        "Cannot fill nulls of column 'c' with 1.0E300: its type float32 takes numbers up to"
            + " 3.4028234663852886E38. Choose such a number, or NullPolicy.mask().");
    refused(
        dataset(nullable("c", new DataType.Floating(16)), List.of(row((Object) null))),
        options().nulls(NullPolicy.fill(70_000)),
        "Cannot fill nulls of column 'c' with 70000: its type float16 takes numbers up to"
            + " 65504.0. Choose such a number, or NullPolicy.mask().");
  }

  @Test
  void maskTellsNullsFromZeros() throws IOException {
    Schema schema = nullable("i", INT32, "f", FLOAT32);
    StructuredDataset dataset = dataset(schema, List.of(row(0, null), row(null, 0f), row(5, 6f)));
    try (DataLoader loader = DataLoader.of(dataset, options().nulls(NullPolicy.mask()));
        Batch batch = loader.iterator().next()) {
      assertThat(batch.names()).containsExactly("i", "i.mask", "f", "f.mask");
      assertThat((int[]) batch.tensor("i").toArray()).containsExactly(0, 0, 5);
      assertThat((float[]) batch.tensor("f").toArray()).containsExactly(0, 0, 6);
      assertThat((boolean[]) batch.tensor("i.mask").toArray()).containsExactly(true, false, true);
      assertThat((boolean[]) batch.tensor("f.mask").toArray()).containsExactly(false, true, true);
      assertThat(batch.tensor("i.mask").shape()).isEqualTo(Shape.of(3));
    }
  }

  @Test
  void columnNamedLikeAMaskIsNoTroubleWithoutMasks() throws IOException {
    Schema schema = nullable("a", INT32, "a.mask", INT32);
    StructuredDataset dataset = dataset(schema, List.of(row(1, null)));
    try (DataLoader loader = DataLoader.of(dataset, options().output(OutputFormat.MAP))) {
      assertThat(Delivery.ofEpoch(loader).rows()).containsExactly(row(1, null));
    }
    refused(
        dataset,
        options().nulls(NullPolicy.mask()),
        "Cannot make a batch with two columns named 'a.mask'. Leave one of them out, or rename the matrix.");
  }

  @Test
  void listsKeepNullsUnderEveryPolicyButError() throws IOException {
    Schema schema = nullable("i", INT32, "s", new DataType.Utf8());
    StructuredDataset dataset = dataset(schema, List.of(row(null, null)));
    for (NullPolicy policy : List.of(NullPolicy.nan(), NullPolicy.fill(3), NullPolicy.mask())) {
      LoaderOptions options = options().output(OutputFormat.MAP).nulls(policy);
      try (DataLoader loader = DataLoader.of(dataset, options)) {
        assertThat(Delivery.ofEpoch(loader).rows()).containsExactly(row(null, null));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(OutputFormat.class)
  void nullsAreErrorsWhenAskedFor(OutputFormat output) throws IOException {
    Path file = folder.resolve("part-0.parquet");
    for (DataType type : List.of(INT32, FLOAT32, new DataType.Bool(), new DataType.Utf8())) {
      Object value = type.equals(FLOAT32) ? (Object) 1f : Values.random(type, new Random(1));
      StructuredDataset dataset =
          dataset(nullable("c", type), List.of(row(value), row(value), row((Object) null)));
      boolean isHeldAsTensor =
          Values.isPrimitive(type) && output != OutputFormat.MAP && output != OutputFormat.ARROW;
      LoaderOptions options = options().output(output).nulls(NullPolicy.error());
      Failure.of(dataset, options)
          .hasMessageStartingWith(
              "Cannot batch column 'c': row 2 is null and "
                  + (isHeldAsTensor
                      ? "its type has no place for one. Use NullPolicy.fill() or NullPolicy.mask()."
                      : "NullPolicy.error() has no place for one. Use NullPolicy.nan() or"
                          + " NullPolicy.mask(), which keep it, or NullPolicy.fill()."))
          .hasMessageEndingWith(" [" + file + ", row 2]");
    }
  }

  /// The null is the third row of the second of three files, wherever it is in the window.
  @ParameterizedTest
  @EnumSource(OutputFormat.class)
  void errorInAWindowNamesFileAndRow(OutputFormat output) throws IOException {
    List<Table.DataFile> files = new ArrayList<>();
    for (int file = 0; file < 3; file++) {
      List<List<Object>> rows = new ArrayList<>();
      for (int row = 0; row < 5; row++) {
        rows.add(row(row, file == 1 && row == 3 ? null : "t" + row));
      }
      files.add(new Table.DataFile("part-" + file, List.of(rows)));
    }
    StructuredDataset dataset =
        dataset(new Table(nullable("i", INT32, "s", new DataType.Utf8()), files));
    LoaderOptions options =
        options().output(output).nulls(NullPolicy.error()).shuffle(Shuffle.window(15));
    Path file = folder.resolve("part-1.parquet");
    Failure.of(dataset, options)
        .hasMessageContaining("column 's': row 3 is null")
        .hasMessageContaining("[" + file + ", row 3]");
    Failure.of(dataset.where("i > 1"), options)
        .hasMessageContaining("column 's': row 3 is null")
        .hasMessageContaining("[" + file + ", row 3]");
  }

  @Test
  void nullInAMatrixIsAnErrorWhenAskedFor() throws IOException {
    StructuredDataset dataset =
        dataset(nullable("c", FLOAT32), List.of(row(1f), row((Object) null)));
    LoaderOptions options = options().nulls(NullPolicy.error()).features("x", "c");
    Failure.of(dataset, options).hasMessageContaining("column 'c': row 1 is null");
  }

  /// Returns what a value is as a `float`: the nearest one.
  private static float toFloat(DataType type, Object value) {
    return switch (type) {
      case DataType.Bool _ -> (Boolean) value ? 1f : 0f;
      case DataType.Int(int bits, boolean signed) when bits == 64 && !signed ->
          new BigDecimal((BigInteger) value).floatValue();
      case DataType.Int _, DataType.Floating _, DataType.Decimal _ -> ((Number) value).floatValue();
      default -> throw new AssertionError(type);
    };
  }
}
