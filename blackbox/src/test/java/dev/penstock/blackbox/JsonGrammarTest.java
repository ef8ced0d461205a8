package dev.penstock.blackbox;

import static dev.penstock.blackbox.ReadText.error;
import static dev.penstock.blackbox.ReadText.row;
import static dev.penstock.blackbox.ReadText.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.schema.Types;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is no JSON by RFC 8259 is refused where it is read, and nothing else is.
class JsonGrammarTest {
  @TempDir Path folder;

  @AfterEach
  void nothingIsLeft() {
    Leaks.assertNoThreads();
    Leaks.assertNoOpenFiles(folder);
  }

  private StructuredDataset file(String name, String text) throws IOException {
    Path path = Files.write(folder.resolve(name), text.getBytes(StandardCharsets.UTF_8));
    return new StructuredDataset(path.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "01, 0",
    "-01, 1",
    "00, 0",
    "-00, 1",
    "01.5, 0",
    "00000000000, 0",
    "1., 2",
    "1.e5, 2",
    "12345678., 9",
    "-.5, 1",
    ".5, 0",
    "+1, 0",
    "-, 1",
    "--1, 1",
    "1e, 2",
    "1e+, 3",
    "1.5e-, 5",
    "1e1.5, 3",
    "1.2.3, 3",
    "12abc, 2",
    "1234567890123x, 13",
    "1_000, 1",
    "0x10, 1",
    "1+1, 1",
    "1-1, 1",
    "1f, 1",
    "1L, 1",
    "-nan, 1",
    "nan, 0",
    "NaN, 0",
    "-NaN, 1",
    "inf, 0",
    "Infinity, 0",
    "-Infinity, 1",
    "-inf, 1",
    "2001-01-31, 4",
    "2001-01-31T10:00:00, 4",
    "True, 0",
    "TRUE, 0",
    "truex, 4",
    "true1, 4",
    "nullnull, 4",
    "nul, 0",
    "falsey, 5",
    "none, 0",
    "1e5\u00df, 3",
    "\u0661, 0",
    "'x', 0",
    "1;, 1"
  })
  void whatIsNoNumberAndNoWordIsRefusedWhereverItIs(String value, int place) throws IOException {
    String sampled = "{\"a\":" + value + "}\n";
    assertNoJson(file("a.jsonl", sampled), "line 1, byte " + (5 + place));
    assertNoJson(file("b.json", "[" + sampled + "]"), "line 1, byte " + (6 + place));
    for (String first : new String[] {"1", "1.5", "\"x\"", "true", "\"2001-01-31\"", "[1]"}) {
      String good = "{\"b\":1,\"a\":" + first + "}\n";
      StructuredDataset later =
          file("later.jsonl", good + "{\"b\":1,\"a\":" + value + "}\n")
              .formatOption("sample-rows", "1");
      String line = "line 2, byte " + (good.length() + 11 + place);
      if (!first.startsWith("[")) {
        assertNoJson(later, line);
      }
      assertNoJson(later.columns("b"), line);
    }
    StructuredDataset asWritten =
        file("raw.jsonl", "{\"a\":\"\"}\n{\"a\":[" + value + "]}\n")
            .formatOption("sample-rows", "1");
    assertNoJson(asWritten, "line 2, byte " + (15 + place));
  }

  private static void assertNoJson(StructuredDataset dataset, String place) {
    assertThat(error(dataset)).startsWith("Corrupt JSON: there is ").endsWith(", " + place + "]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "1",
        "-1",
        "10",
        "0.5",
        "-0.0",
        "0e0",
        "0E-0",
        "1e5",
        "1E+5",
        "1.5e-7",
        "0.0001",
        "1234567",
        "12345678",
        "123456789",
        "1234567890123456",
        "-9223372036854775808",
        "1234567.12345678",
        "12345678.1234567812345678",
        "0.30000000000000004",
        "1e007"
      })
  void numbersAreRead(String value) throws IOException {
    for (String end : new String[] {"}", " }", "\t,\"b\":1}", ",\"b\":1}"}) {
      StructuredDataset dataset = file("a.jsonl", "{\"a\":" + value + end);
      boolean whole = value.matches("-?[0-9]+");
      assertThat(rows(dataset).getFirst().getFirst())
          .isEqualTo(whole ? (Object) Long.valueOf(value) : (Object) Double.valueOf(value));
      assertThat(rows(dataset.cast("a", Types.STRING)).getFirst().getFirst()).isEqualTo(value);
    }
  }

  @Test
  void rowsBeforeWhatIsNoJsonComeAsThoseBeforeAnyError() throws IOException {
    String good = "{\"a\":\"x\"}\n".repeat(100);
    List<Integer> counts = new ArrayList<>();
    for (String bad : new String[] {"{\"a\":}", "{\"a\":01}", "{\"a\":[01]}"}) {
      StructuredDataset dataset =
          file("a.jsonl", good + bad + "\n" + good)
              .formatOption("sample-rows", "10")
              .formatOption("row-group-rows", "20");
      List<Object> before = new ArrayList<>();
      Throwable thrown =
          catchThrowable(() -> {
            try (DataLoader loader =
                dataset.createDataLoader(
                    o -> o.workers(0).batchSize(10).output(OutputFormat.MAP))) {
              for (Batch batch : loader) {
                try (batch) {
                  before.addAll((List<?>) batch.column("a"));
                }
              }
            }
          });
      assertThat(thrown).hasStackTraceContaining("line 101, byte ");
      counts.add(before.size());
    }
    assertThat(counts).containsExactly(100, 100, 100);
  }
}
