package dev.penstock.blackbox.contract;

import static dev.penstock.blackbox.files.Schemas.nullable;
import static dev.penstock.tck.Values.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.OutputFormat;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of the nulls of each column, on every format.
class NullsContractTest extends ColumnContract {
  private final Schema schema =
      nullable("a", INT32, "b", INT32, "f", FLOAT32, "s", TEXT, "t", TEXT);
  private final List<List<Object>> rows =
      List.of(row(1, 2, 3f, "x", "y"), row(null, null, null, null, null));

  static List<ContractFiles> files() {
    return ContractFiles.ofLooseFiles();
  }

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
        nullable("l", new DataType.List(INT32, true), "m", new DataType.List(INT32, true));
    List<List<Object>> data = List.of(row(row(1, null), row(null, 2)));
    LoaderOptions options = options().nulls("l", NullPolicy.fill(-1)).nulls("m", NullPolicy.mask());
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
        dataset(nullable("d", new DataType.Decimal(9, 2)), List.of(row((Object) null))),
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
  void policyOfAColumnThatIsNotReadIsRefused() throws IOException {
    refused(
        dataset(schema, rows).columns("a", "s"),
        options().nulls("b", NullPolicy.mask()),
        "Cannot use column 'b': columns leaves it out. Name it there, too.");
    refused(
        dataset(schema, rows).columns("a", "s"),
        options().nulls("z", NullPolicy.mask()),
        "Cannot treat nulls of column 'z': no such column in the dataset. Columns are: [a, s].");
  }
}
