package dev.penstock.blackbox.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.DecimalForm;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.Tensor;
import dev.penstock.batch.UnfitValueException;
import dev.penstock.batch.Vocabulary;
import dev.penstock.blackbox.files.FaultStorage;
import dev.penstock.blackbox.files.Schemas;
import dev.penstock.blackbox.files.Table;
import dev.penstock.blackbox.files.Values;
import dev.penstock.filter.Filter;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What may be asked for of single columns, on every format: what becomes of their nulls, what
/// dates and timestamps count, how decimals are held, how strings are encoded.
class ColumnsContractTest extends FileContract {
  static final DataType INT32 = new DataType.Int(32, true);
  static final DataType FLOAT32 = new DataType.Floating(32);
  static final DataType TEXT = new DataType.Utf8();

  static List<ContractFiles> files() {
    return ContractFiles.ofLooseFiles();
  }

  /// Writes one file of nullable columns.
  StructuredDataset dataset(Schema schema, List<List<Object>> rows) throws IOException {
    boolean nested = schema.fields().stream().anyMatch(field -> field.type().isNested());
    assumeTrue(!nested || writer().nesting() > 0, "the format has no nested columns");
    Table table = new Table(schema, List.of(new Table.DataFile("part-0", List.of(rows))));
    return writer().dataset(folder, table, new Random(1));
  }

  /// Returns the file that [#dataset] writes.
  Path file() {
    return folder.resolve("part-0" + writer().extension());
  }

  static Schema schema(Object... namesAndTypes) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < namesAndTypes.length; i += 2) {
      fields.add(new Field((String) namesAndTypes[i], (DataType) namesAndTypes[i + 1], true));
    }
    return Schema.of(fields);
  }

  /// Returns a list that may hold nulls.
  static List<Object> row(Object... values) {
    return Collections.unmodifiableList(Arrays.asList(values));
  }

  static LoaderOptions options() {
    return LoaderOptions.defaults().workers(1);
  }

  /// Returns the values of a column of the first batch, as a list.
  static List<Object> values(Batch batch, String name) {
    Object column = batch.column(name);
    return switch (column) {
      case Tensor tensor -> list(tensor.toArray());
      case RaggedTensor lists -> list(lists.values().toArray());
      case List<?> list -> new ArrayList<>(list);
      default -> list(column);
    };
  }

  private static List<Object> list(Object array) {
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < Array.getLength(array); i++) {
      list.add(Array.get(array, i));
    }
    return list;
  }

  static void refused(StructuredDataset dataset, LoaderOptions options, String message) {
    for (OutputFormat output : OutputFormat.values()) {
      if (output == OutputFormat.ARROW && !options.columns().features().isEmpty()) {
        continue; // a matrix is refused before its columns are looked at
      }
      try (DataLoader loader = DataLoader.of(dataset, options.output(output))) {
        assertThatIllegalArgumentException().isThrownBy(loader::iterator).withMessage(message);
      }
    }
    Leaks.assertNoThreads();
  }

  @Nested
  class Nulls {
    private final Schema schema =
        schema("a", INT32, "b", INT32, "f", FLOAT32, "s", TEXT, "t", TEXT);
    private final List<List<Object>> rows =
        List.of(row(1, 2, 3f, "x", "y"), row(null, null, null, null, null));

    @Test
    void columnHasItsOwnPolicyAndTheOthersThatForAll() throws IOException {
      LoaderOptions options =
          options()
              .nulls(NullPolicy.fill(7))
              .nulls("b", NullPolicy.mask())
              .nulls("f", NullPolicy.nan())
              .nulls("t", NullPolicy.fill(""));
      for (OutputFormat output : List.of(OutputFormat.TENSOR, OutputFormat.ARRAY)) {
        try (DataLoader loader = DataLoader.of(dataset(schema, rows), options.output(output));
            Batch batch = loader.iterator().next()) {
          assertThat(batch.names()).containsExactly("a", "b", "b.mask", "f", "s", "t");
          assertThat(values(batch, "a")).containsExactly(1, 7);
          assertThat(values(batch, "b")).containsExactly(2, 0);
          assertThat(values(batch, "b.mask")).containsExactly(true, false);
          assertThat(values(batch, "f")).containsExactly(3f, Float.NaN);
          assertThat(values(batch, "s")).containsExactly("x", null);
          assertThat(values(batch, "t")).containsExactly("y", "");
        }
      }
    }

    @Test
    void objectsKeepTheirNulls() throws IOException {
      LoaderOptions options =
          options()
              .output(OutputFormat.MAP)
              .nulls("a", NullPolicy.fill(7))
              .nulls("b", NullPolicy.mask())
              .nulls("s", NullPolicy.fill("none"));
      try (DataLoader loader = DataLoader.of(dataset(schema, rows), options)) {
        assertThat(Delivery.ofEpoch(loader).rows()).isEqualTo(rows);
      }
    }

    @Test
    void errorInOneColumnNamesColumnFileAndRow() throws IOException {
      StructuredDataset dataset = dataset(schema, rows);
      for (OutputFormat output : OutputFormat.values()) {
        for (String column : List.of("f", "s")) {
          LoaderOptions options =
              options().output(output).nulls(NullPolicy.mask()).nulls(column, NullPolicy.error());
          Failure.of(dataset, options)
              .hasMessageStartingWith("Cannot batch column '%s': row 1 is null and ", column)
              .hasMessageContaining("has no place for one. Use NullPolicy.")
              .hasMessageEndingWith(" [%s, row 1]", file());
        }
      }
    }

    @Test
    void elementsOfListsFollowThePolicyOfTheirColumn() throws IOException {
      Schema lists =
          schema("l", new DataType.List(INT32, true), "m", new DataType.List(INT32, true));
      List<List<Object>> data = List.of(row(row(1, null), row(null, 2)));
      LoaderOptions options =
          options().nulls("l", NullPolicy.fill(-1)).nulls("m", NullPolicy.mask());
      try (DataLoader loader = DataLoader.of(dataset(lists, data), options);
          Batch batch = loader.iterator().next()) {
        assertThat(values(batch, "l")).containsExactly(1, -1);
        assertThat(values(batch, "m")).containsExactly(0, 2);
        assertThat(values(batch, "m.element.mask")).containsExactly(false, true);
      }
    }

    @Test
    void columnsOfAMatrixHaveTheirOwnOrTheMatrixsOrThatForAll() throws IOException {
      StructuredDataset dataset = dataset(schema, rows).columns("a", "b", "f");
      LoaderOptions options =
          options()
              .nulls("x", NullPolicy.fill(-1))
              .nulls("b", NullPolicy.fill(-2))
              .features("x", "a", "b")
              .features("y", "f");
      try (DataLoader loader = DataLoader.of(dataset, options);
          Batch batch = loader.iterator().next()) {
        assertThat(values(batch, "x")).containsExactly(1f, 2f, -1f, -2f);
        assertThat(values(batch, "y")).containsExactly(3f, Float.NaN);
      }
      Failure.of(dataset, options.nulls("b", NullPolicy.error()))
          .hasMessageContaining("Cannot batch column 'b': row 1 is null");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 4})
    void wideMatrixFillsEachColumnWithItsOwnValue(int workers) throws IOException {
      List<Field> fields = new ArrayList<>();
      List<Object> expected = new ArrayList<>();
      LoaderOptions options = options().workers(workers);
      for (int i = 0; i < 70; i++) {
        fields.add(new Field("c" + i, INT32, true));
        expected.add((float) i);
        options = options.nulls("c" + i, NullPolicy.fill(i));
      }
      Schema wide = Schema.of(fields);
      List<Object> nulls = row(new Object[70]);
      try (DataLoader loader =
              DataLoader.of(dataset(wide, List.of(nulls)), options.features("x", wide.names()));
          Batch batch = loader.iterator().next()) {
        assertThat(values(batch, "x")).isEqualTo(expected);
      }
    }

    @Test
    void policyThatDoesNotFitIsRefused() throws IOException {
      StructuredDataset dataset = dataset(schema, rows);
      refused(
          dataset,
          options().nulls("b", NullPolicy.fill(0.5)),
          "Cannot fill nulls of column 'b' with 0.5: its type int32 takes whole numbers in"
              + " [-2147483648, 2147483648). Choose such a number, or NullPolicy.mask().");
      refused(
          dataset,
          options().nulls("b", NullPolicy.fill("none")),
          "Cannot fill nulls of column 'b' with the text 'none': its type int32 takes numbers."
              + " Choose a number, or give the column a policy of its own.");
      refused(
          dataset.columns("a", "b"),
          options().features("x", "a").nulls("x", NullPolicy.fill("none")),
          "Cannot fill nulls of column 'a' with the text 'none': its type float32 takes numbers."
              + " Choose a number, or give the column a policy of its own.");
      refused(
          dataset,
          options().nulls("s", NullPolicy.fill(0)),
          "Cannot treat nulls of column 's' by 'fill:0': columns of type string are delivered as"
              + " lists, in which nulls are null. Use NullPolicy.error() or a text, as in"
              + " NullPolicy.fill(\"\").");
    }

    @Test
    void maskOfAListOfObjectsIsRefused() throws IOException {
      refused(
          dataset(schema("d", new DataType.Decimal(9, 2)), List.of(row((Object) null))),
          options().nulls("d", NullPolicy.mask()),
          "Cannot treat nulls of column 'd' by 'mask': columns of type decimal(9, 2) are delivered"
              + " as lists, in which nulls are null. Use NullPolicy.error(), or leave it out.");
    }

    @Test
    void textForAllIsRefusedByColumnsOfNumbersOnly() throws IOException {
      LoaderOptions options = options().nulls(NullPolicy.fill("none"));
      StructuredDataset dataset = dataset(schema, rows);
      try (DataLoader loader = DataLoader.of(dataset.columns("s", "t"), options);
          Batch batch = loader.iterator().next()) {
        assertThat(values(batch, "s")).containsExactly("x", "none");
        assertThat(values(batch, "t")).containsExactly("y", "none");
      }
      try (DataLoader loader = DataLoader.of(dataset.columns("a"), options)) {
        assertThatIllegalArgumentException()
            .isThrownBy(loader::iterator)
            .withMessageStartingWith("Cannot fill nulls of column 'a' with the text 'none'");
      }
    }

    @Test
    void policyOfAnUnknownColumnIsRefused() throws IOException {
      refused(
          dataset(schema, rows).columns("a", "s"),
          options().nulls("b", NullPolicy.mask()),
          "Cannot treat nulls of column 'b': no such column in the dataset. Columns are: [a, s].");
    }
  }

  @Nested
  class Timestamps {
    private static final List<TimeUnit> UNITS = List.of(TimeUnit.values());

    @BeforeEach
    void formatHasAllUnits() {
      assumeTrue(
          UNITS.stream()
              .allMatch(unit ->
                  writer().types().stream()
                      .anyMatch(type ->
                          type instanceof DataType.Timestamp stamp && stamp.unit() == unit)));
    }

    /// Returns the nanoseconds of a unit, from the definition of the units.
    private static BigInteger nanos(EpochUnit unit) {
      return switch (unit) {
        case DAYS -> new BigInteger("86400000000000");
        case SECONDS -> new BigInteger("1000000000");
        case MILLIS -> new BigInteger("1000000");
        case MICROS -> new BigInteger("1000");
        case NANOS -> BigInteger.ONE;
        case STORED -> throw new AssertionError();
      };
    }

    /// Returns what a count of nanoseconds is in a unit, rounded toward negative infinity.
    private static BigInteger expected(BigInteger nanos, EpochUnit unit) {
      BigInteger[] parts = nanos.divideAndRemainder(nanos(unit));
      return parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
    }

    private static DataType type(int index) {
      return index == 0
          ? new DataType.Date()
          : new DataType.Timestamp(UNITS.get((index - 1) / 2), index % 2 == 0);
    }

    private static BigInteger nanosOf(DataType type) {
      return type instanceof DataType.Timestamp stamp
          ? BigInteger.TEN.pow(9 - stamp.unit().digits())
          : nanos(EpochUnit.DAYS);
    }

    @Seeded(runs = 40)
    void everyUnitCountsAsArithmeticDoes(Random random) throws IOException {
      List<Field> fields = new ArrayList<>();
      for (int i = 0; i < 7; i++) {
        fields.add(new Field("c" + i, type(i), random.nextBoolean()));
      }
      Table table = Table.random(random, Schema.of(fields));
      EpochUnit[] units = {
        EpochUnit.DAYS, EpochUnit.SECONDS, EpochUnit.MILLIS, EpochUnit.MICROS, EpochUnit.NANOS
      };
      EpochUnit forAll = units[random.nextInt(units.length)];
      EpochUnit own = units[random.nextInt(units.length)];
      LoaderOptions options =
          options()
              .batchSize(1 + random.nextInt(100))
              .workers(random.nextInt(3))
              .nulls(NullPolicy.mask())
              .timestamps(forAll)
              .timestamps("c3", own);
      List<List<Object>> expected = new ArrayList<>();
      for (List<Object> row : table.rows()) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
          EpochUnit unit = i == 3 ? own : forAll;
          Object value = row.get(i);
          values.add(
              value == null
                  ? null
                  : expected(
                          BigInteger.valueOf(Values.toLong(type(i), value))
                              .multiply(nanosOf(type(i))),
                          unit)
                      .longValueExact());
        }
        expected.add(values);
      }
      assertThat(rows(writer().dataset(folder, table, random), options)).isEqualTo(expected);
    }

    /// Returns all rows of columns that are INT64 tensors, nulls as their masks say.
    private List<List<Object>> rows(StructuredDataset data, LoaderOptions options) {
      List<List<Object>> rows = new ArrayList<>();
      try (DataLoader loader = DataLoader.of(data, options)) {
        for (Batch batch : loader) {
          try (batch) {
            for (int row = 0; row < batch.rowCount(); row++) {
              List<Object> values = new ArrayList<>();
              for (String name : loader.dataset().schema().names()) {
                Tensor tensor = batch.tensor(name);
                assertThat(tensor.dtype()).isEqualTo(DType.INT64);
                String mask = name + ".mask";
                boolean there = !batch.names().contains(mask) || batch.tensor(mask).getBoolean(row);
                values.add(there ? (Object) tensor.getLong(row) : null);
              }
              rows.add(values);
            }
          }
        }
      }
      return rows;
    }

    @Test
    void unitsMakeLongArraysAndLeaveObjectsAlone() throws IOException {
      DataType micros = new DataType.Timestamp(TimeUnit.MICROS, true);
      Schema schema = schema("d", new DataType.Date(), "t", micros, "u", micros);
      List<List<Object>> rows =
          List.of(
              row(
                  LocalDate.of(1969, 12, 31),
                  Instant.parse("1969-12-31T23:59:59.999999Z"),
                  Instant.parse("2001-02-03T04:05:06.000007Z")));
      LoaderOptions options =
          options().timestamps(EpochUnit.SECONDS).timestamps("u", EpochUnit.STORED);
      StructuredDataset dataset = dataset(schema, rows);
      try (DataLoader loader = DataLoader.of(dataset, options.output(OutputFormat.ARRAY));
          Batch batch = loader.iterator().next()) {
        assertThat(batch.array("d", long[].class)).containsExactly(-86_400);
        assertThat(batch.array("t", long[].class)).containsExactly(-1);
        assertThat(batch.array("u", long[].class)).containsExactly(981_173_106_000_007L);
      }
      try (DataLoader loader = DataLoader.of(dataset, options.output(OutputFormat.MAP))) {
        assertThat(Delivery.ofEpoch(loader).rows()).isEqualTo(rows);
      }
    }

    @ParameterizedTest
    @CsvSource({
      // 2^63 - 1 ns is 9223372036.854775807 s; beside it what is one unit too far.
      "MILLIS, NANOS, 9223372036854, 9223372036855",
      "MILLIS, NANOS, -9223372036854, -9223372036855",
      "MICROS, NANOS, 9223372036854775, 9223372036854776",
      "MILLIS, MICROS, -9223372036854775, -9223372036854776",
      "MILLIS, MICROS, 9223372036854775, 9223372036854775807"
    })
    void countThatDoesNotFitIsAnErrorThatNamesColumnFileAndRow(
        TimeUnit from, EpochUnit to, long fits, long misfit) throws IOException {
      DataType type = new DataType.Timestamp(from, false);
      Object last = Values.ofLong(type, fits);
      List<List<Object>> rows =
          List.of(row(last), row((Object) null), row(Values.ofLong(type, misfit)), row(last));
      LoaderOptions options = options().batchSize(2).nulls(NullPolicy.mask());
      Failure failure = Failure.meet(dataset(schema("t", type), rows), options.timestamps(to));
      assertThat(failure.batches()).containsExactly(2);
      assertThat(failure.thrown())
          .hasMessage(
              "Cannot batch column 't': row 2 is %s %s since 1970-01-01, which INT64 cannot count"
                  + " in %s. Use a coarser unit. [%s, row 2]",
              misfit, from, to, file())
          .hasCauseInstanceOf(UnfitValueException.class);
    }

    @Test
    void dateBeyondTheYear2262HasNoNanoseconds() throws IOException {
      Schema schema = schema("d", new DataType.Date());
      List<List<Object>> rows =
          List.of(row(LocalDate.of(1677, 9, 22)), row(LocalDate.of(2262, 4, 12)));
      Failure.of(dataset(schema, rows), options().timestamps("d", EpochUnit.NANOS))
          .hasMessage(
              "Cannot batch column 'd': row 1 is 106752 days since 1970-01-01, which INT64 cannot"
                  + " count in NANOS. Use a coarser unit. [%s, row 1]",
              file());
    }

    @Test
    void unitOfAnotherTypeOrAnUnknownColumnIsRefused() throws IOException {
      DataType stamps = new DataType.List(new DataType.Timestamp(TimeUnit.MILLIS, true), false);
      StructuredDataset dataset =
          dataset(schema("i", INT32, "l", stamps), List.of(row(1, List.of())));
      refused(
          dataset,
          options().timestamps("i", EpochUnit.MILLIS),
          "Cannot count column 'i' in MILLIS: its type is int32, and only dates and timestamps"
              + " fit.");
      refused(
          dataset,
          options().timestamps("l", EpochUnit.DAYS),
          "Cannot count column 'l' in DAYS: its type is list<timestamp[ms, UTC]>, and only dates"
              + " and timestamps fit.");
      refused(
          dataset,
          options().timestamps("x", EpochUnit.DAYS),
          "Cannot choose a unit for column 'x': no such column in the dataset. Columns are: [i, l].");
    }
  }

  @Nested
  class Decimals {
    private static final List<DataType> TYPES =
        List.of(
            new DataType.Decimal(9, 2),
            new DataType.Decimal(18, 0),
            new DataType.Decimal(18, 18),
            new DataType.Decimal(38, 10),
            new DataType.Decimal(38, 38));

    @Seeded(runs = 40)
    void doublesAreTheNearest(Random random) throws IOException {
      Schema schema = Schemas.of(TYPES);
      Table table = Table.random(random, schema);
      LoaderOptions options =
          options()
              .batchSize(1 + random.nextInt(100))
              .workers(random.nextInt(3))
              .decimals(DecimalForm.FLOAT64)
              .output(OutputFormat.ARRAY);
      List<List<Object>> expected =
          table.rows().stream().map(row -> row.stream().map(Decimals::nearest).toList()).toList();
      List<List<Object>> delivered = new ArrayList<>();
      StructuredDataset data = writer().dataset(folder, table, random);
      try (DataLoader loader = DataLoader.of(data, options)) {
        for (Batch batch : loader) {
          try (batch) {
            for (int row = 0; row < batch.rowCount(); row++) {
              List<Object> values = new ArrayList<>();
              for (String name : schema.names()) {
                values.add(batch.array(name, double[].class)[row]);
              }
              delivered.add(values);
            }
          }
        }
      }
      assertThat(delivered).isEqualTo(expected);
    }

    /// Returns the nearest double, as its digits say.
    private static Object nearest(Object decimal) {
      return decimal == null ? Double.NaN : Double.parseDouble(decimal.toString());
    }

    @Test
    void unscaledValuesAreExact() throws IOException {
      Schema schema =
          schema(
              "small", new DataType.Decimal(9, 2),
              "wide", new DataType.Decimal(38, 3),
              "object", new DataType.Decimal(9, 2));
      BigDecimal most = new BigDecimal("9223372036854775.807");
      BigDecimal least = new BigDecimal("-9223372036854775.808");
      BigDecimal cent = new BigDecimal("-0.01");
      List<List<Object>> rows =
          List.of(row(cent, most, cent), row(null, null, null), row(cent, least, cent));
      LoaderOptions options =
          options()
              .nulls(NullPolicy.mask())
              .decimals(DecimalForm.UNSCALED)
              .decimals("object", DecimalForm.OBJECT);
      StructuredDataset dataset = dataset(schema, rows);
      try (DataLoader loader = DataLoader.of(dataset, options);
          Batch batch = loader.iterator().next()) {
        assertThat(batch.tensor("wide").dtype()).isEqualTo(DType.INT64);
        assertThat(values(batch, "small")).containsExactly(-1L, 0L, -1L);
        assertThat(values(batch, "wide")).containsExactly(Long.MAX_VALUE, 0L, Long.MIN_VALUE);
        assertThat(values(batch, "wide.mask")).containsExactly(true, false, true);
        assertThat(values(batch, "object")).containsExactly(cent, null, cent);
      }
      try (DataLoader loader = DataLoader.of(dataset, options.output(OutputFormat.MAP))) {
        assertThat(Delivery.ofEpoch(loader).rows()).isEqualTo(rows);
      }
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "9223372036854775.808",
          "-9223372036854775.809",
          "12345678901234567890123456789012345.678"
        })
    void unscaledValueThatDoesNotFitIsAnError(String value) throws IOException {
      Schema schema = schema("d", new DataType.Decimal(38, 3));
      List<List<Object>> rows =
          List.of(row((Object) null), row(new BigDecimal("1.000")), row(new BigDecimal(value)));
      LoaderOptions options = options().nulls(NullPolicy.fill(0));
      Failure.of(dataset(schema, rows), options.decimals("d", DecimalForm.UNSCALED))
          .hasMessage(
              "Cannot batch column 'd': row 2 is %s, and INT64 cannot hold it without its point."
                  + " Use DecimalForm.FLOAT64, or leave the option out. [%s, row 2]",
              value, file());
    }

    @Test
    void matrixHasFloatsWhateverTheForm() throws IOException {
      Schema schema = schema("d", new DataType.Decimal(9, 2));
      LoaderOptions options = options().features("x", "d").decimals("d", DecimalForm.UNSCALED);
      try (DataLoader loader =
              DataLoader.of(dataset(schema, List.of(row(new BigDecimal("1.25")))), options);
          Batch batch = loader.iterator().next()) {
        assertThat(values(batch, "x")).containsExactly(1.25f);
      }
    }

    @Test
    void formOfAnotherTypeOrAnUnknownColumnIsRefused() throws IOException {
      StructuredDataset dataset = dataset(schema("i", INT32), List.of(row(1)));
      refused(
          dataset,
          options().decimals("i", DecimalForm.FLOAT64),
          "Cannot deliver column 'i' as FLOAT64: its type is int32, and only decimals fit.");
      refused(
          dataset,
          options().decimals("x", DecimalForm.FLOAT64),
          "Cannot choose a form for column 'x': no such column in the dataset. Columns are: [i].");
    }
  }

  @Nested
  class Strings {
    private final Schema schema = schema("id", INT32, "s", TEXT);
    private final Vocabulary airports = Vocabulary.of("ORD", "ATL", "");

    private static Table table(Random random) {
      Schema schema =
          Schema.of(
              List.of(
                  new Field("id", INT32, false),
                  new Field("r", TEXT, false),
                  new Field("n", TEXT, true)));
      Table table = Table.random(random, schema);
      // Few different texts, as such columns have.
      int different = 1 + random.nextInt(30);
      List<Table.DataFile> files = new ArrayList<>();
      for (Table.DataFile file : table.files()) {
        List<List<List<Object>>> groups = new ArrayList<>();
        for (List<List<Object>> group : file.groups()) {
          groups.add(
              group.stream()
                  .map(row ->
                      row(row.get(0), few(row.get(1), different), few(row.get(2), different)))
                  .toList());
        }
        files.add(new Table.DataFile(file.name(), groups));
      }
      return new Table(schema, files);
    }

    /// Returns one of a few texts: some empty, some not ASCII, some longer than a hash's stripe.
    private static Object few(Object text, int different) {
      if (text == null) {
        return null;
      }
      int number = Math.floorMod(text.hashCode(), different);
      String[] pieces = {"\uD83D\uDE00", "ß\uFFFD", "b"};
      return number == 0 ? "" : pieces[number % 3].repeat(number);
    }

    private static Set<String> texts(List<List<Object>> rows, int column) {
      Set<String> texts = new HashSet<>();
      rows.forEach(row -> texts.add((String) row.get(column)));
      texts.remove(null);
      return texts;
    }

    /// Returns texts in the order of their bytes.
    private static List<String> sorted(Set<String> texts) {
      List<String> sorted = new ArrayList<>(texts);
      sorted.sort(
          Comparator.comparing(
              text -> text.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned));
      return sorted;
    }

    /// Returns the numbers of two encoded columns, row by row, null where the mask says so.
    private static List<List<Object>> numbers(DataLoader loader) {
      List<List<Object>> rows = new ArrayList<>();
      for (Batch batch : loader) {
        try (batch) {
          for (String name : List.of("r", "n")) {
            assertThat(batch.tensor(name).dtype()).isEqualTo(DType.INT32);
          }
          for (int row = 0; row < batch.rowCount(); row++) {
            boolean there = batch.tensor("n.mask").getBoolean(row);
            rows.add(
                row(batch.tensor("r").getInt(row), there ? batch.tensor("n").getInt(row) : null));
          }
        }
      }
      return rows;
    }

    private static List<List<Object>> expected(
        List<List<Object>> rows, List<String> first, List<String> second) {
      return rows.stream()
          .map(row ->
              row(
                  first.indexOf(row.get(1)),
                  row.get(2) == null ? null : second.indexOf(row.get(2))))
          .toList();
    }

    @Seeded(runs = 30)
    void codesAreThePlacesInTheGivenVocabulary(Random random) throws IOException {
      Table table = table(random);
      StructuredDataset data = writer().dataset(folder, table, random);
      List<String> vocabulary = new ArrayList<>(texts(table.rows(), 1));
      vocabulary.addAll(List.of("unused", "also unused"));
      Collections.shuffle(vocabulary, random);
      List<String> half = vocabulary.subList(0, vocabulary.size() / 2);
      int most = random.nextInt();
      StructuredDataset dataset = data.filter(Filter.col("id").le(most));
      List<List<Object>> kept =
          table.rows().stream().filter(row -> (Integer) row.get(0) <= most).toList();
      LoaderOptions options =
          options()
              .batchSize(1 + random.nextInt(100))
              .nulls(NullPolicy.mask())
              .strings("r", StringEncoding.codes(Vocabulary.of(vocabulary)))
              .strings("n", StringEncoding.codes(Vocabulary.of(half)).unknown(-1));
      for (int workers : new int[] {0, 1, 2, 4}) {
        try (DataLoader loader = DataLoader.of(dataset, options.workers(workers))) {
          assertThat(numbers(loader)).isEqualTo(expected(kept, vocabulary, half));
        }
      }
    }

    @Seeded(runs = 30)
    void vocabularyThatIsFoundIsSortedWhateverTheWorkersAndTheOrder(Random random)
        throws IOException {
      Table table = table(random);
      StructuredDataset data = writer().dataset(folder, table, random);
      List<String> first = sorted(texts(table.rows(), 1));
      List<String> second = sorted(texts(table.rows(), 2));
      LoaderOptions options =
          options()
              .batchSize(1 + random.nextInt(100))
              .nulls(NullPolicy.mask())
              .strings("r", StringEncoding.codes())
              .strings("n", StringEncoding.codes());
      for (int workers : new int[] {0, 1, 2, 4}) {
        DataLoader loader = DataLoader.of(data, options.workers(workers));
        try (loader) {
          for (int epoch = 0; epoch < 2; epoch++) {
            assertThat(numbers(loader)).isEqualTo(expected(table.rows(), first, second));
            assertThat(loader.vocabulary("r").texts()).isEqualTo(first);
            assertThat(loader.vocabulary("n").texts()).isEqualTo(second);
          }
        }
        Leaks.assertNone(loader, folder);
      }
      try (DataLoader loader = DataLoader.of(data.splitRows(50), options.shuffle(true).seed(3))) {
        assertThat(numbers(loader))
            .containsExactlyInAnyOrderElementsOf(expected(table.rows(), first, second));
      }
    }

    @Test
    void vocabularyHasTheTextsOfTheRowsThatTheFilterKeeps() throws IOException {
      StructuredDataset dataset =
          dataset(schema, List.of(row(1, "c"), row(2, "b"), row(3, "a"), row(4, null)))
              .where("id >= 2");
      for (OutputFormat output : OutputFormat.values()) {
        LoaderOptions options =
            options()
                .output(output)
                .nulls("s", NullPolicy.fill("none"))
                .strings("s", StringEncoding.codes());
        DataLoader loader = DataLoader.of(dataset, options);
        assertThat(loader.vocabulary("s")).isEqualTo(Vocabulary.of("a", "b", "none"));
        loader.close();
        assertThat(loader.vocabulary("s").size()).isEqualTo(3);
      }
    }

    @Test
    void vocabularyHasTheTextsThatATransformMakes() throws IOException {
      StructuredDataset dataset =
          dataset(schema, List.of(row(1, "c"), row(null, "b"), row(3, null), row(4, "c")));
      LoaderOptions options =
          options()
              .nulls(NullPolicy.mask())
              .strings("u", StringEncoding.codes())
              .transform((block, _) -> {
                String[] texts = block.strings("s");
                for (int i = 0; i < texts.length; i++) {
                  texts[i] = texts[i] == null ? "none" : texts[i].toUpperCase(Locale.ROOT);
                }
                return block.with("u", texts);
              });
      try (DataLoader loader = DataLoader.of(dataset, options);
          Batch batch = loader.iterator().next()) {
        assertThat(loader.vocabulary("u")).isEqualTo(Vocabulary.of("B", "C", "none"));
        assertThat(values(batch, "u")).containsExactly(1, 0, 2, 1);
      }
    }

    @Test
    void nullsFollowThePolicy() throws IOException {
      StructuredDataset dataset =
          dataset(schema, List.of(row(1, "ATL"), row(2, null), row(3, ""), row(4, "ORD")));
      LoaderOptions options = options().strings("s", StringEncoding.codes(airports));
      assertThat(codes(dataset, options.nulls("s", NullPolicy.fill(3))))
          .containsExactly(1, 3, 2, 0);
      assertThat(codes(dataset, options.nulls(NullPolicy.fill(-1)))).containsExactly(1, -1, 2, 0);
      assertThat(codes(dataset, options.nulls("s", NullPolicy.fill("ORD"))))
          .containsExactly(1, 0, 2, 0);
      assertThat(codes(dataset, options.nulls("s", NullPolicy.mask()))).containsExactly(1, 0, 2, 0);
      // xxHash64("none") modulo 1000
      assertThat(
              codes(
                  dataset,
                  options
                      .strings("s", StringEncoding.hash(1000))
                      .nulls("s", NullPolicy.fill("none"))))
          .containsExactly(758, 794, 921, 458);
      for (NullPolicy policy : List.of(NullPolicy.nan(), NullPolicy.error())) {
        Failure.of(dataset, options.nulls("s", policy))
            .hasMessage(
                "Cannot batch column 's': row 1 is null and its type has no place for one. Use"
                    + " NullPolicy.fill() or NullPolicy.mask(). [%s, row 1]",
                file());
      }
    }

    private static List<Object> codes(StructuredDataset dataset, LoaderOptions options) {
      try (DataLoader loader = DataLoader.of(dataset, options);
          Batch batch = loader.iterator().next()) {
        return values(batch, "s");
      }
    }

    @Test
    void textThatTheVocabularyLacksIsAnErrorThatNamesColumnFileAndRow() throws IOException {
      String other = "x".repeat(101);
      StructuredDataset dataset =
          dataset(
              schema,
              List.of(row(1, "ATL"), row(2, null), row(3, other), row(4, "ATL"), row(5, "SFO")));
      LoaderOptions options =
          options()
              .batchSize(2)
              .nulls(NullPolicy.mask())
              .strings("s", StringEncoding.codes(airports));
      Failure failure = Failure.meet(dataset, options);
      assertThat(failure.batches()).containsExactly(2);
      assertThat(failure.thrown())
          .hasMessage(
              "Cannot batch column 's': row 2 is '%s...', which the vocabulary of 3 texts does not"
                  + " have. Add it, or choose a code for such values, as in"
                  + " StringEncoding.codes(vocabulary).unknown(-1). [%s, row 2]",
              "x".repeat(100), file())
          .hasCauseInstanceOf(UnfitValueException.class);
      assertThat(
              codes(
                  dataset,
                  options.batchSize(5).strings("s", StringEncoding.codes(airports).unknown(3))))
          .containsExactly(1, 0, 3, 1, 3);
    }

    @Test
    void nullBeforeAnUnknownTextIsNotBlamed() throws IOException {
      StructuredDataset dataset = dataset(schema, List.of(row(1, null), row(2, "SFO")));
      LoaderOptions options =
          options()
              .batchSize(1)
              .nulls(NullPolicy.mask())
              .strings("s", StringEncoding.codes(airports));
      Failure failure = Failure.meet(dataset, options);
      assertThat(failure.batches()).containsExactly(1);
      assertThat(failure.thrown()).hasMessageContaining("row 1 is 'SFO'");
    }

    /// The numbers are those of xxHash 0.8.4 (Python's xxhash 4.1.0): `xxh64(text) % buckets`.
    @Test
    void hashIsThatOfAnyOtherXxHash64() throws IOException {
      List<List<Object>> rows =
          List.of(
              row(1, ""),
              row(2, "ATL"),
              row(3, "ORD"),
              row(4, "Zürich"),
              row(5, "東京"),
              row(6, "a".repeat(31)),
              row(7, "b".repeat(32)),
              row(8, "The quick brown fox jumps over the lazy dog, twice over"));
      StructuredDataset dataset = dataset(schema, rows);
      for (OutputFormat output : List.of(OutputFormat.TENSOR, OutputFormat.ARRAY)) {
        LoaderOptions options = options().nulls(NullPolicy.fill(0)).output(output);
        assertThat(codes(dataset, options.strings("s", StringEncoding.hash(1000))))
            .containsExactly(921, 758, 458, 233, 924, 894, 116, 412);
        assertThat(codes(dataset, options.strings("s", StringEncoding.hash(7))))
            .containsExactly(6, 3, 3, 0, 2, 1, 5, 6);
        assertThat(codes(dataset, options.strings("s", StringEncoding.hash(Integer.MAX_VALUE))))
            .containsExactly(
                812032011,
                1525591676,
                1987037824,
                1191067636,
                1551742438,
                1460549139,
                230279960,
                1706883786);
        assertThat(codes(dataset, options.strings("s", StringEncoding.hash(1)))).containsOnly(0);
      }
      LoaderOptions objects = options().strings("s", StringEncoding.hash(7));
      try (DataLoader loader = DataLoader.of(dataset, objects.output(OutputFormat.MAP))) {
        assertThat(Delivery.ofEpoch(loader).rows()).isEqualTo(rows);
      }
    }

    @Test
    void fieldOfAStructIsEncodedLikeAnyColumn() throws IOException {
      DataType city = new DataType.Struct(List.of(new Field("city", TEXT, true)));
      Map<String, Object> none = new HashMap<>();
      none.put("city", null);
      StructuredDataset dataset =
          dataset(
                  schema("a", city),
                  List.of(row(Map.of("city", "ORD")), row((Object) null), row(none)))
              .columns("a.city");
      LoaderOptions options =
          options()
              .nulls("a.city", NullPolicy.fill(9))
              .strings("a.city", StringEncoding.codes(airports));
      try (DataLoader loader = DataLoader.of(dataset, options);
          Batch batch = loader.iterator().next()) {
        assertThat(values(batch, "a.city")).containsExactly(0, 9, 9);
      }
    }

    @Test
    void encodingThatDoesNotFitIsRefused() throws IOException {
      DataType list = new DataType.List(TEXT, true);
      StructuredDataset dataset =
          dataset(schema("i", INT32, "l", list, "s", TEXT), List.of(row(1, List.of(), "ATL")));
      refused(
          dataset,
          options().strings("i", StringEncoding.codes()),
          "Cannot encode column 'i' as codes: its type is int32, and only strings fit.");
      refused(
          dataset,
          options().strings("l", StringEncoding.hash(10)),
          "Cannot encode column 'l' as hash(10): its type is list<string>, and only strings fit.");
      refused(
          dataset,
          options().strings("x", StringEncoding.codes()),
          "Cannot encode column 'x': no such column in the dataset. Columns are: [i, l, s].");
      LoaderOptions options = options().strings("s", StringEncoding.codes(airports));
      refused(
          dataset,
          options.nulls("s", NullPolicy.fill("none")),
          "Cannot fill nulls of column 's' with the text 'none': its vocabulary does not have it."
              + " Add it, or fill with a code.");
      refused(
          dataset,
          options.nulls("s", NullPolicy.fill(0.5)),
          "Cannot fill nulls of column 's' with 0.5: its type int32 takes whole numbers in"
              + " [-2147483648, 2147483648). Choose such a number, or NullPolicy.mask().");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> StringEncoding.hash(0))
          .withMessage("Hash buckets must be at least 1, got 0.");
    }

    @Test
    void vocabularyOfAColumnThatHasNoneIsRefused() throws IOException {
      try (DataLoader loader = DataLoader.of(dataset(schema, List.of(row(1, "a"))), options())) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> loader.vocabulary("s"))
            .withMessage(
                "Cannot give the vocabulary of column 's': it is not delivered as codes. Use"
                    + " LoaderOptions.strings(column, StringEncoding.codes()).");
      }
    }
  }

  @Nested
  class WhileAVocabularyIsFound {
    private FaultStorage.Site site;

    private DataLoader loader(int workers) throws IOException {
      dataset(schema("s", TEXT), List.of(row("a"), row("b")));
      site = FaultStorage.over(folder);
      return DataLoader.of(
          new StructuredDataset(site.location()),
          options().workers(workers).strings("s", StringEncoding.codes()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void closingEndsThePass(int workers) throws Exception {
      FaultStorage.Gate gate = new FaultStorage.Gate();
      try (DataLoader loader = loader(workers)) {
        loader.dataset().schema();
        site.onRead(gate);
        FutureTask<Object> starting = new FutureTask<>(loader::iterator);
        Thread.ofPlatform().daemon().start(starting);
        gate.awaitArrival();
        assertThat(loader.stats().rows()).isZero(); // nobody waits for the pass but its caller
        Thread closing = Thread.ofPlatform().daemon().start(loader::close);
        while (closing.getState() != Thread.State.TIMED_WAITING) {
          Thread.onSpinWait(); // until it waits for those who are at the store
        }
        gate.open();
        closing.join();
        assertThatThrownBy(starting::get)
            .cause()
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("closed");
        Leaks.assertNone(loader, folder);
        assertThat(site.openFiles()).isZero();
      }
    }

    @Test
    void interruptEndsThePassAndSaysWhatItWasFor() throws Exception {
      FaultStorage.Gate gate = new FaultStorage.Gate();
      try (DataLoader loader = loader(2)) {
        loader.dataset().schema();
        site.onRead(gate);
        FutureTask<Object> starting = new FutureTask<>(loader::iterator);
        Thread thread = Thread.ofPlatform().daemon().start(starting);
        gate.awaitArrival();
        thread.interrupt();
        gate.open();
        assertThatThrownBy(starting::get)
            .cause()
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining("waiting for the pass that is to find a vocabulary");
        assertThat(loader.vocabulary("s").size()).isEqualTo(2);
      }
    }

    @Test
    void faultOfAFileIsThrownAndThePassCanBeMadeAgain() throws Exception {
      try (DataLoader loader = loader(2)) {
        loader.dataset().schema();
        site.onRead(_ -> {
          throw new IOException("no route to host");
        });
        assertThatThrownBy(loader::iterator)
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining("no route to host");
        site.onRead(_ -> {});
        try (Batch batch = loader.iterator().next()) {
          assertThat(values(batch, "s")).containsExactly(0, 1);
        }
      }
    }
  }
}
