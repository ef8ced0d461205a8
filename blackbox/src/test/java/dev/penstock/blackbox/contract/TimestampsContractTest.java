package dev.penstock.blackbox.contract;

import static dev.penstock.blackbox.files.Schemas.nullable;
import static dev.penstock.tck.Values.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.EpochUnit;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.batch.Tensor;
import dev.penstock.batch.UnfitValueException;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Table;
import dev.penstock.tck.Values;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What dates and timestamps count, on every format.
class TimestampsContractTest extends ColumnContract {
  private static final List<TimeUnit> UNITS = List.of(TimeUnit.values());

  static List<ContractFiles> files() {
    return ContractFiles.ofLooseFiles();
  }

  @BeforeEach
  void formatHasAllUnits() {
    assumeTrue(
        UNITS.stream()
            .allMatch(unit ->
                writer().types().stream()
                    .anyMatch(
                        type -> type instanceof DataType.Timestamp stamp && stamp.unit() == unit)));
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
    Schema schema = nullable("d", new DataType.Date(), "t", micros, "u", micros);
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
    Failure failure = Failure.meet(dataset(nullable("t", type), rows), options.timestamps(to));
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
    Schema schema = nullable("d", new DataType.Date());
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
        dataset(nullable("i", INT32, "l", stamps), List.of(row(1, List.of())));
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
