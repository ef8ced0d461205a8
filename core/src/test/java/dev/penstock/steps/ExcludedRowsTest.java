package dev.penstock.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.steps.ExcludedRows.Place;
import dev.penstock.storage.Location;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExcludedRowsTest {
  private static final String EXPECTED =
      " Expected the values of a key, as {\"id\": 17}, or a row as it is stored, as"
          + " {\"file\": \"part-1.parquet\", \"row\": 5}.";

  @Test
  void linesAreKeysOrRowsOfFiles() {
    ExcludedRows rows =
        ExcludedRows.parse(
            """
            {"id": 17}

            {"day": "2026-11-30", "part": 2.5, "late": true}
            {"file": "a/part-1.parquet", "row": 5}
            {"file": "a", "row": 5, "id": 1}
            {"id": 17}
            """);
    assertThat(rows.entries())
        .containsExactly(
            new ExcludedRows.Key(new TreeMap<>(Map.of("id", 17))),
            new ExcludedRows.Key(
                new TreeMap<>(Map.of("day", "2026-11-30", "part", 2.5, "late", true))),
            new Place("a/part-1.parquet", 5),
            new ExcludedRows.Key(new TreeMap<>(Map.of("file", "a", "row", 5, "id", 1))));
  }

  @Test
  void rowsOfStepsAreRowsOfFiles() {
    StepRow row =
        new StepRow(
            0,
            98,
            0,
            281,
            OptionalLong.empty(),
            new Location("a/part-4.parquet"),
            17,
            19,
            OptionalLong.empty(),
            Optional.empty());
    ExcludedRows rows = ExcludedRows.rows(List.of(row, row));
    assertThat(rows.entries())
        .containsExactly(new Place("a/part-4.parquet", 17), new Place("a/part-4.parquet", 18));
    String line =
        "{\"epoch\":0,\"step\":98,\"rank\":0,\"place\":281,\"file\":\"a/part-4.parquet\",\"row\":17";
    assertThat(ExcludedRows.parse(line + ",\"endRow\":19}")).isEqualTo(rows);
    assertThat(ExcludedRows.parse(line + ",\"rowId\":4,\"source\":1}").entries())
        .containsExactly(new Place("a/part-4.parquet", 17));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExcludedRows.parse(line + ",\"endRow\":16}"))
        .withMessageContaining("field 'endRow'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[1]                        | the document is a list but expected an object.",
        "{\"id\": null}             | there is a null in it.",
        "{\"id\": [1]}              | field 'id' of the document is a list but expected a string, a number, true or false.",
        "{\"id\": 9223372036854775808} | field 'id' of the document is 9223372036854775808 but expected a whole number of 64 bits.",
        "{\"id\": 1e999}            | field 'id' of the document is 1e999 but expected a number in the range of a double.",
        "{\"file\": \"a\", \"row\": -1} | field 'row' of the document is -1 but expected a whole number from 0 to 9223372036854775807.",
        "{\"id\": 1                 | it ends too early.",
      })
  void lineThatIsAnotherIsNamed(String line, String fault) {
    String met = fault.startsWith("it ") ? " " + fault : ": " + fault;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExcludedRows.parse("{\"id\": 1}\n\n" + line))
        .withMessage(
            "Cannot read line 3 of the rows to exclude"
                + (met.startsWith(" ") ? ":" : "")
                + met
                + EXPECTED);
  }

  @Test
  void lineWithoutAKeyIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExcludedRows.parse("{}"))
        .withMessage(
            "Cannot read line 1 of the rows to exclude: A key must have 1 to 16 columns, got 0."
                + EXPECTED);
  }

  @Test
  void valuesAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExcludedRows.keys("id", Arrays.asList(1, null)))
        .withMessageContaining("by column 'id': the value is null but expected a text");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExcludedRows.keys("id", List.of(Double.NaN)))
        .withMessageContaining("the value is Double NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExcludedRows.row("a", -1))
        .withMessage("The row of 'a' must be at least 0, got -1.");
    List<Integer> many = IntStream.range(0, 10_001).boxed().toList();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExcludedRows.keys("id", many))
        .withMessageStartingWith("Cannot exclude more than 10000 keys and rows");
  }

  @Test
  void orderOfEntriesDoesNotMatter() {
    ExcludedRows one = ExcludedRows.keys("id", List.of(1, 2));
    ExcludedRows other =
        ExcludedRows.keys("id", List.of(2L)).and(ExcludedRows.key(Map.of("id", 1)));
    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
    assertThat(one.without(other).entries()).isEmpty();
  }
}
