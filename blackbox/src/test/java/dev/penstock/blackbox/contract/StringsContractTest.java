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
import dev.penstock.batch.StringEncoding;
import dev.penstock.batch.UnfitValueException;
import dev.penstock.batch.Vocabulary;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// How strings are encoded as numbers, on every format.
class StringsContractTest extends ColumnContract {
  private final Schema schema = nullable("id", INT32, "s", TEXT);
  private final Vocabulary airports = Vocabulary.of("ORD", "ATL", "");

  static List<ContractFiles> files() {
    return ContractFiles.ofLooseFiles();
  }

  @Test
  void nullsFollowThePolicy() throws IOException {
    StructuredDataset dataset =
        dataset(schema, List.of(row(1, "ATL"), row(2, null), row(3, ""), row(4, "ORD")));
    LoaderOptions options = options().strings("s", StringEncoding.codes(airports));
    assertThat(codes(dataset, options.nulls("s", NullPolicy.fill(3)))).containsExactly(1, 3, 2, 0);
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
                nullable("a", city),
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
        dataset(nullable("i", INT32, "l", list, "s", TEXT), List.of(row(1, List.of(), "ATL")));
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
}
