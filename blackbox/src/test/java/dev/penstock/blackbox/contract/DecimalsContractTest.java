package dev.penstock.blackbox.contract;

import static dev.penstock.blackbox.files.Schemas.nullable;
import static dev.penstock.tck.Values.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
import dev.penstock.batch.DecimalForm;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.blackbox.files.Schemas;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Table;
import dev.penstock.testing.Seeded;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How decimals are held, on every format.
class DecimalsContractTest extends ColumnContract {
  private static final List<DataType> TYPES =
      List.of(
          new DataType.Decimal(9, 2),
          new DataType.Decimal(18, 0),
          new DataType.Decimal(18, 18),
          new DataType.Decimal(38, 10),
          new DataType.Decimal(38, 38));

  static List<ContractFiles> files() {
    return ContractFiles.ofLooseFiles();
  }

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
        table.rows().stream()
            .map(row -> row.stream().map(DecimalsContractTest::nearest).toList())
            .toList();
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
        nullable(
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
    Schema schema = nullable("d", new DataType.Decimal(38, 3));
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
    Schema schema = nullable("d", new DataType.Decimal(9, 2));
    LoaderOptions options = options().features("x", "d").decimals("d", DecimalForm.UNSCALED);
    try (DataLoader loader =
            DataLoader.of(dataset(schema, List.of(row(new BigDecimal("1.25")))), options);
        Batch batch = loader.iterator().next()) {
      assertThat(values(batch, "x")).containsExactly(1.25f);
    }
  }

  @Test
  void formOfAnotherTypeOrAnUnknownColumnIsRefused() throws IOException {
    StructuredDataset dataset = dataset(nullable("i", INT32), List.of(row(1)));
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
